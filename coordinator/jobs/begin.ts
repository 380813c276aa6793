import { isUnavailable } from "../../shared/basics/errors.ts";
import { fullTags } from "../nodes/compute-groups.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { choose } from "../schedule/choose.ts";
import { isPaused } from "../store/rows.ts";
import { createDebounce } from "./debounce.ts";
import { createNextJobs, type QueuedJob } from "./next-jobs.ts";

/** The number of instances of a job that one decision starts: planning them and writing what came of it takes some milliseconds. */
export const startsAtOnce = 10;

/** The number of instances that start, and of jobs that begin, before ready tasks are assigned again. */
export const beginsAtOnce = 25;

/** The same while jobs are being submitted: whoever submits waits for all that is begun in the same turn. */
export const beginsMeanwhile = 10;

/** While jobs are being submitted, this many ready tasks are enough. The others are planned after this silence. */
const enoughMeanwhile = 1000;
const quietMs = 50;

export type JobStarter = ReturnType<typeof createJobStarter>;

/**
 * Begins stored jobs by priority and age. The next ones are in memory, the others only in the store. Paused and scheduled
 * jobs begin once they are not any more. A job with many elements also continues here, a few elements at a time.
 */
export const createJobStarter = (farm: Nodes & { readonly pausedJobs: ReadonlyMap<number, unknown> }) => {
  const next = createNextJobs(farm.store.due);
  const unfinished = new Set<number>();
  const quiet = createDebounce(farm.clock, quietMs, farm.wake);
  let hasEnded = false;
  const tryAgain = createTryAgain(farm, () => hasEnded);
  const beginnings = createBeginnings(farm, next, tryAgain);
  /** While a submission waits for the disk, its sender waits for the answer. */
  const isQuiet = (): boolean => quiet.isOn() && !next.isAnyArriving();

  const refill = async (): Promise<void> => {
    if (await next.refill(beginnings.passed)) farm.wake();
  };
  const goOnWith = (id: number): void => {
    unfinished.delete(id);
    farm.change([id], (draft) => draft.touch(id)).catch(tryAgain(id, () => unfinished.add(id)));
  };
  const mayBegin = (starts: number): boolean =>
    !hasEnded && (starts < beginsMeanwhile || (starts < beginsAtOnce && isQuiet()));
  /** The number of instances that start. */
  const one = (): number => {
    const [wide] = unfinished;
    if (wide !== undefined) {
      goOnWith(wide);
      return beginsAtOnce; // others may ask for something before it goes on
    }
    const first = next.first((id) => farm.pausedJobs.has(id));
    if (!first || beginnings.awaited.size >= beginsAtOnce || !hasRoom(farm, first, isQuiet)) return 0;
    next.removeFirst();
    beginnings.begin(first);
    return Math.min(startsAtOnce, farm.values.peekJob(first.id)?.runs.size ?? startsAtOnce);
  };

  return {
    /** Looks up the next jobs. */
    refill,
    /** A job was submitted, or resumed before it began. Returns the function to call once that is durable, or undone. */
    add: (job: QueuedJob): (() => void) => {
      quiet.break();
      beginnings.passed.delete(job.id); // its beginning may have found it paused
      const known = next.add(job);
      return () => {
        known();
        quiet.break(); // its sender has been silent for no longer than that
        isQuiet(); // and is looked for again after a while
      };
    },
    /** A job that was not to begin may do so after all. */
    searchAgain: next.searchAgain,
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
      let starts = 0;
      for (let begun = 1; begun > 0 && mayBegin(starts); starts += begun) begun = one();
      if (!hasEnded && next.mayRefill() && !farm.store.closing.aborted)
        refill().catch((problem) => farm.log.error({ err: problem }, "no jobs can be looked for"));
      return starts > 0;
    },
  };
};

/** A decision about a job that fails, for example on a full disk, is made again after this time. */
const againMs = 1000;

const createTryAgain =
  ({ log, clock, wake }: Pick<Nodes, "log" | "clock" | "wake">, hasEnded: () => boolean) =>
  (jobId: number, again: () => void) =>
  (problem: unknown): void => {
    if (hasEnded()) return; // the next run of the coordinator does it
    log[isUnavailable(problem) ? "info" : "error"]({ err: problem, job: jobId }, "a job could not begin or continue");
    clock.after(againMs, () => {
      again();
      wake();
    });
  };

const createBeginnings = (
  farm: Nodes,
  next: ReturnType<typeof createNextJobs>,
  tryAgain: ReturnType<typeof createTryAgain>,
) => {
  /** Jobs whose beginning failed, or is being decided. */
  const passed = new Set<number>();
  /** Jobs whose beginning waits until they are loaded: a slow store must not let the farm begin more than it needs. */
  const awaited = new Set<number>();
  return {
    passed,
    awaited,
    begin: ({ id }: QueuedJob): void => {
      passed.add(id);
      awaited.add(id);
      const again = tryAgain(id, () => {
        passed.delete(id);
        next.searchAgain();
      });
      const begun = farm.change([id], (draft) => {
        awaited.delete(id);
        const { row, schedule } = draft.job(id);
        if (row?.begun !== 0 || row.end_time !== null || isPaused(schedule)) return;
        draft.setJob(id, { begun: 1 });
        draft.touch(id);
      });
      begun.then(() => passed.delete(id), again).finally(() => awaited.delete(id));
    },
  };
};

const hasRoom = (farm: Nodes, { priority }: QueuedJob, isQuiet: () => boolean): boolean => {
  const { enoughReady } = farm.config;
  const ready = farm.ready.size() + farm.polls.size();
  if (ready < Math.min(enoughReady, enoughMeanwhile)) return true;
  return priority > (farm.ready.lowestPriority() ?? 0) || isHungry(farm) || (ready < enoughReady && isQuiet());
};

/**
 * A free slot found no ready task. Light tasks that wait for room beside the slots are enough: they end soon, and begin what
 * the slots are for.
 */
const isHungry = (farm: Pick<Nodes, "ready" | "values" | "registry">): boolean => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  return [...farm.registry.offers()].some(({ offer }) => {
    const { slots, light } = offer.free;
    if (slots <= 0 && light <= 0) return false;
    const roomy = { ...offer, free: { ...offer.free, light: Math.max(1, light) } };
    return choose(roomy, farm.ready.sets(), situation) === undefined;
  });
};
