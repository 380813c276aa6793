import { sleep } from "../../shared/clock.ts";
import { type Batch, joined, StoreRefusal } from "../store/batch.ts";
import type { Outside } from "./committer.ts";
import type { Decided } from "./decider.ts";

/** If the outcome of a batch is unknown, the store is asked this often. */
const askAgainMs = 200;

/** Numbers batches and hands them to the store, one at a time. */
export const createBatches = ({ store, values, epoch, clock }: Outside) => {
  let count = 0;
  let fenced: StoreRefusal | undefined;

  const tryToWrite = async (batch: Batch): Promise<void> => {
    if (fenced) throw fenced;
    await store.write(batch);
  };

  /** Repeats until there is an answer: callers that wait for the batch wait for it too. */
  const wasWritten = async ({ nr }: Batch): Promise<boolean> => {
    for (;;) {
      try {
        const lead = await store.leading();
        return lead.epoch === epoch && lead.batch === nr;
      } catch {
        await sleep(clock, askAgainMs);
      }
    }
  };

  return {
    /** Undefined once everything is durable. */
    write: async (some: readonly Decided[]): Promise<StoreRefusal | undefined> => {
      const changes = joined(some.flatMap(({ draft }) => draft.changes));
      if (changes.length === 0) return undefined;
      const batch: Batch = { epoch, nr: count + 1, changes, counters: { ...values.counters } };
      try {
        await tryToWrite(batch);
      } catch (cause) {
        const problem = cause instanceof StoreRefusal ? cause : new StoreRefusal("content", String(cause), { cause });
        if (problem.kind === "fenced") fenced = problem;
        if (problem.kind !== "unknown" || !(await wasWritten(batch))) return problem;
      }
      count = batch.nr;
      return undefined;
    },
    /** The number of durable batches. */
    count: (): number => count,
  };
};
