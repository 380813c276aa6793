import { AppError } from "../../shared/errors.ts";
import type { StoreRefusal } from "../store/batch.ts";
import type { createBatches } from "./batches.ts";
import type { createDecider, Decided } from "./decider.ts";

type RecoveryNeeds = {
  readonly decider: ReturnType<typeof createDecider>;
  readonly writer: Pick<ReturnType<typeof createBatches>, "write">;
  /** Another coordinator leads: this one must exit. */
  readonly fenced: (problem: StoreRefusal) => void;
};

/**
 * Undoes a refused batch with everything decided on top of it. If its content was refused, each decision is repeated in
 * a batch of its own, and only those refused again fail.
 */
export const createRecovery = ({ decider, writer, fenced }: RecoveryNeeds) => {
  const refuse = (some: readonly Decided[], problem: StoreRefusal): void => {
    for (const { request } of some) request.reject(answerOf(problem));
    if (problem.kind === "fenced") fenced(problem);
  };

  const repeat = async ({ request }: Decided): Promise<void> => {
    const found = await decider.decideNow(request);
    if (!found) return;
    const again = await writer.write([found]);
    if (!again) return decider.release(found);
    decider.undo(found);
    refuse([found], again);
  };

  return async (all: readonly Decided[], problem: StoreRefusal): Promise<void> => {
    for (const each of all.toReversed()) decider.undo(each);
    if (problem.kind !== "content") return refuse(all, problem);
    for (const each of all) await repeat(each);
  };
};

const answerOf = (problem: StoreRefusal): unknown => {
  if (problem.kind === "content") return problem.cause ?? problem;
  return new AppError("UNAVAILABLE", problem.message, { cause: problem });
};
