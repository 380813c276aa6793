import { sleep } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { startsAtOnce } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";

/** While submissions come in a burst, some more are begun only so often. */
const patienceMs = 100;
const lookAgainMs = 20;
/** Where the disk is full, people have to make room first. */
const fullAgainMs = 1000;

/**
 * Jobs that were accepted, or begun in part, and go on when nothing more urgent is to be committed: as many in one commit
 * as do not block the loop. Those who wait for the answer to a submission go first, but for ever nobody waits, and where
 * nodes have nothing to do, no time. What the disk has no room for is begun when there is some. Who is not begun when the farm
 * ends is found at its next start.
 */
export const createBeginnings = (farm: Farm, change: (fn: (changes: Changes) => void) => Promise<void>) => {
  const waiting = new Map<number, number>();
  let isAtWork = false;
  const { closing } = farm.db;

  const next = (): Map<number, number> => {
    const some = new Map<number, number>();
    let total = 0;
    for (const [id, starts] of waiting) {
      if (total >= startsAtOnce) break;
      waiting.delete(id);
      some.set(id, starts);
      total += starts;
    }
    return some;
  };

  const quiet = async (): Promise<void> => {
    const { accepting, clock } = farm;
    const until = clock.monotonic() + patienceMs;
    while (accepting.isBurst() && clock.monotonic() < until && !isHungry(farm) && !closing.aborted)
      await sleep(clock, lookAgainMs, closing);
  };

  const begin = (ids: Iterable<number>): Promise<void> =>
    change((changes) => {
      for (const id of ids) changes.touchedJobs.add(id);
    });

  /** What goes wrong with one job is not to keep the others. */
  const beginEach = async (ids: Iterable<number>): Promise<void> => {
    for (const id of ids) {
      await begin([id]).catch((problem) => farm.log.error({ err: problem, job: id }, "a job could not be begun"));
    }
  };

  const beginSome = async (some: ReadonlyMap<number, number>): Promise<void> => {
    try {
      await begin(some.keys());
    } catch (problem) {
      if (closing.aborted) return;
      if (!isOutOfRoom(problem)) return beginEach(some.keys());
      for (const [id, starts] of some) waiting.set(id, starts);
      await sleep(farm.clock, fullAgainMs, closing);
    }
  };

  const goOn = async (): Promise<void> => {
    isAtWork = true;
    while (waiting.size > 0) {
      await quiet();
      if (closing.aborted) return; // the farm has ended
      await beginSome(next());
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

const isOutOfRoom = (problem: unknown): boolean => problem instanceof AppError && problem.code === "UNAVAILABLE";
