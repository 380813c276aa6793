import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { newId } from "../secrets/vault.ts";
import type { JobSchedule } from "../store/rows.ts";

/** What takes the change of one job back: the tasks that a stop ended, or what the job had before. */
export type UndoStep = { readonly jobId: number } & (
  | { readonly stopped: readonly number[] }
  | { readonly priority: number }
  | { readonly schedule: Pick<JobSchedule, "paused" | "startAfter"> }
);

type Kept = { readonly who: string; readonly steps: readonly UndoStep[]; readonly at: number };

/** How long a call can be taken back. */
const keptMs = 10 * 60_000;
/** Jobs in all calls that are kept. */
const mostSteps = 400_000;

/**
 * Remembers how to take back what calls did: for ten minutes, for the caller alone, once, and not over a restart. Where
 * there are too many, the oldest are forgotten first.
 */
export const createUndos = (clock: Pick<Clock, "monotonic">) => {
  const kept = new Map<string, Kept>();
  const forget = () => {
    let all = [...kept.values()].reduce((sum, { steps }) => sum + steps.length, 0);
    for (const [name, { at, steps }] of kept) {
      if (all <= mostSteps && clock.monotonic() - at <= keptMs) return;
      kept.delete(name);
      all -= steps.length;
    }
  };
  return {
    /** The name by which the caller can have it taken back; undefined if there is nothing to take back. */
    remember: (who: string, steps: readonly UndoStep[]): string | undefined => {
      if (steps.length === 0) return undefined;
      const name = newId();
      kept.set(name, { who, steps, at: clock.monotonic() });
      forget();
      return name;
    },
    /** Throws AppError NOT_FOUND for a name that is unknown, used, too old or another caller's. */
    take: (who: string, name: string): readonly UndoStep[] => {
      forget();
      const found = kept.get(name);
      if (found?.who !== who)
        throw new AppError("NOT_FOUND", "This can no longer be taken back: more than ten minutes ago, or done already");
      kept.delete(name);
      return found.steps;
    },
  };
};
