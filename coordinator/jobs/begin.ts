import { choose } from "../schedule/choose.ts";
import { startsAtOnce } from "./advance.ts";
import { fullTags } from "./compute-groups.ts";
import type { Farm } from "./farm.ts";
import { createNextJobs, type QueuedJob } from "./next-jobs.ts";
import { createQuiet } from "./quiet.ts";

/** While jobs are being submitted, this many ready tasks are enough. The others are planned after this silence. */
const enoughMeanwhile = 1000;
const quietMs = 50;

export type Beginnings = ReturnType<typeof createBeginnings>;

/**
 * Begins stored jobs by priority and age. The next ones are in memory, the others only in the store. A job with many
 * elements also continues here, a few elements at a time.
 */
export const createBeginnings = (farm: Farm) => {
  const next = createNextJobs(farm.store.due);
  let hasEnded = false;
  const unfinished = new Set<number>();
  /** Jobs whose beginning failed, or is being decided. */
  const passed = new Set<number>();
  const quiet = createQuiet(farm.clock, quietMs, farm.wake);

  const refill = async (): Promise<void> => {
    if (await next.refill(passed)) farm.wake();
  };

  const begin = ({ id }: QueuedJob): void => {
    passed.add(id);
    farm
      .change([id], (draft) => {
        const { row } = draft.job(id);
        if (row?.begun !== 0 || row.end_time !== null) return;
        draft.setJob(id, { begun: 1 });
        draft.touch(id);
      })
      .then(() => passed.delete(id))
      .catch((problem) => {
        if (hasEnded) return; // the next run of the coordinator finds it
        farm.log.error({ err: problem, job: id }, "a job could not be begun");
        farm.clock.after(againMs, () => {
          passed.delete(id);
          next.searchAgain();
          farm.wake();
        });
      });
  };

  const goOnWith = (id: number): void => {
    unfinished.delete(id);
    farm
      .change([id], (draft) => draft.touch(id))
      .catch((problem) => {
        if (hasEnded) return;
        farm.log.error({ err: problem, job: id }, "a job could not continue");
        farm.clock.after(againMs, () => unfinished.add(id));
      });
  };

  const one = (): number => {
    const [wide] = unfinished;
    if (wide !== undefined) {
      goOnWith(wide);
      return startsAtOnce;
    }
    const first = next.first();
    if (!first || !hasRoom(farm, first, quiet.isOn)) return 0;
    next.removeFirst();
    begin(first);
    return Math.min(startsAtOnce, farm.values.peekJob(first.id)?.runs.size ?? startsAtOnce);
  };

  return {
    /** Looks up the next jobs. */
    refill,
    /** A submission was decided. Returns the function to call once it is durable, or undone. */
    add: (job: QueuedJob): (() => void) => {
      quiet.break();
      return next.add(job);
    },
    /** A job that has more elements to start. */
    goOn: (jobId: number): void => {
      unfinished.add(jobId);
      farm.wake();
    },
    /** No more jobs are begun: the coordinator is stopping. */
    end: (): void => {
      hasEnded = true;
      quiet.end();
    },
    /** Begins as many jobs as possible without blocking the loop; true if any: their tasks can be assigned next. */
    begin: (): boolean => {
      if (hasEnded) return false;
      let starts = 0;
      while (starts < startsAtOnce) {
        const begun = one();
        if (begun === 0) break;
        starts += begun;
      }
      if (next.mayRefill() && !farm.store.closing.aborted)
        refill().catch((problem) => farm.log.error({ err: problem }, "no jobs can be looked for"));
      return starts > 0;
    },
  };
};

/** A failed beginning, for example on a full disk, is tried again. */
const againMs = 1000;

const hasRoom = (farm: Farm, { priority }: QueuedJob, isQuiet: () => boolean): boolean => {
  const { enoughReady } = farm.config;
  const ready = farm.ready.size() + farm.waits.size();
  if (ready < Math.min(enoughReady, enoughMeanwhile)) return true;
  return priority > (farm.ready.lowestPriority() ?? 0) || isHungry(farm) || (ready < enoughReady && isQuiet());
};

/** A free slot found no ready task. */
const isHungry = (farm: Farm): boolean => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  return [...farm.registry.offers()].some(
    ({ offer }) =>
      (offer.free.slots > 0 || offer.free.light > 0) && choose(offer, farm.ready.sets(), situation) === undefined,
  );
};
