import { sleep } from "../../shared/clock.ts";
import { startsAtOnce } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";

/** While submissions come in a burst, some more are begun only so often. */
const patienceMs = 100;
const lookAgainMs = 20;

/**
 * Jobs that were accepted, or begun in part, and go on when nothing more urgent is to be committed: as many in one commit
 * as do not block the loop. Those who wait for the answer to a submission go first, but for ever nobody waits, and where
 * nodes have nothing to do, no time. Who is not begun when the farm ends is found at its next start.
 */
export const createBeginnings = (farm: Farm, change: (fn: (changes: Changes) => void) => Promise<void>) => {
  const waiting = new Map<number, number>();
  let isAtWork = false;

  const next = (): number[] => {
    const ids: number[] = [];
    for (let starts = 0; starts < startsAtOnce; ) {
      const [first] = waiting;
      if (!first) break;
      waiting.delete(first[0]);
      ids.push(first[0]);
      starts += first[1];
    }
    return ids;
  };

  const quiet = async (): Promise<void> => {
    const { accepting, clock } = farm;
    const until = clock.monotonic() + patienceMs;
    while (accepting.isBurst() && clock.monotonic() < until && !isHungry(farm)) await sleep(clock, lookAgainMs);
  };

  const goOn = async (): Promise<void> => {
    isAtWork = true;
    while (waiting.size > 0) {
      await quiet();
      const ids = next();
      try {
        await change((changes) => {
          for (const jobId of ids) changes.touchedJobs.add(jobId);
        });
      } catch (problem) {
        if (!farm.db.writer.open) return; // the farm has ended
        farm.log.error({ err: problem, jobs: ids }, "jobs could not be begun");
      }
    }
    isAtWork = false;
  };

  return {
    add: (jobs: ReadonlyMap<number, number>): void => {
      for (const [jobId, starts] of jobs) waiting.set(jobId, starts);
      if (!isAtWork && waiting.size > 0) void goOn();
    },
  };
};

/** Nodes have room, and nothing is ready that could go there. */
const isHungry = ({ ready, registry }: Farm): boolean =>
  ready.size() === 0 && [...registry.offers()].some(({ offer }) => offer.free.slots > 0 || offer.free.light > 0);
