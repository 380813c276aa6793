import { choose } from "../schedule/choose.ts";
import { startsAtOnce } from "./advance.ts";
import { fullTags } from "./compute-groups.ts";
import type { Farm } from "./farm.ts";

/** The number of next jobs kept in memory. */
const windowSize = 1000;

/** While jobs are being submitted, this many ready tasks are enough. The others are planned after this silence. */
const enoughMeanwhile = 1000;
const quietMs = 50;

type QueuedJob = { readonly id: number; readonly priority: number };

export type Beginnings = ReturnType<typeof createBeginnings>;

/**
 * Begins stored jobs by priority and age. The next ones are in memory, the others only in the store. A job with many
 * elements also continues here, a few elements at a time.
 */
export const createBeginnings = (farm: Farm) => {
  /** In the order of beginning. */
  let next: QueuedJob[] = [];
  /** `next` contains all of them. */
  let isWhole = false;
  let isAsking = false;
  let hasEnded = false;
  /** Jobs that are not durable yet: the store does not return them. */
  const arrived = new Map<number, QueuedJob>();
  const unfinished = new Set<number>();
  /** Jobs whose beginning failed, or is being decided. */
  const passed = new Set<number>();
  const quiet = createQuiet(farm.clock, quietMs, farm.wake);

  const refill = async (): Promise<void> => {
    isAsking = true;
    try {
      const before = [...arrived.values()];
      const most = windowSize + passed.size;
      const found = await farm.store.due.toBegin(most);
      const all = new Map([...found, ...before, ...arrived.values()].map((each) => [each.id, each]));
      next = [...all.values()].filter(({ id }) => !passed.has(id)).sort((a, b) => (goesAfter(a, b) ? 1 : -1));
      isWhole = found.length < most;
      if (next.length > 0) farm.wake();
    } finally {
      isAsking = false;
    }
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
          isWhole = false; // the next search finds it again
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
    const [first] = next;
    if (!first || !hasRoom(farm, first, quiet.isOn)) return 0;
    next.shift();
    begin(first);
    return Math.min(startsAtOnce, farm.values.peekJob(first.id)?.runs.size ?? startsAtOnce);
  };

  const place = (job: QueuedJob): void => {
    const last = next.at(-1);
    if (next.length < windowSize ? !isWhole && (!last || goesAfter(job, last)) : last && goesAfter(job, last)) {
      isWhole = false;
      return;
    }
    // From the end, where most jobs go.
    next.splice(next.findLastIndex((each) => !goesAfter(each, job)) + 1, 0, job);
    if (next.length <= windowSize) return;
    next.pop();
    isWhole = false;
  };

  return {
    /** Looks up the next jobs. */
    refill,
    /** A submission was decided. Returns the functions to call once it is durable, or undone. */
    add: (job: QueuedJob): (() => void) => {
      arrived.set(job.id, job);
      quiet.break();
      place(job);
      return () => arrived.delete(job.id);
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
      if (next.length === 0 && !isWhole && !isAsking && !farm.store.closing.aborted)
        refill().catch((problem) => farm.log.error({ err: problem }, "no jobs can be looked for"));
      return starts > 0;
    },
  };
};

/** A failed beginning, for example on a full disk, is tried again. */
const againMs = 1000;

const goesAfter = (a: QueuedJob, b: QueuedJob): boolean =>
  a.priority === b.priority ? a.id > b.id : a.priority < b.priority;

const hasRoom = (farm: Farm, { priority }: QueuedJob, isQuiet: () => boolean): boolean => {
  const { enoughReady } = farm.config;
  const ready = farm.ready.size() + farm.waits.size();
  if (ready < Math.min(enoughReady, enoughMeanwhile)) return true;
  return priority > (farm.ready.lowestPriority() ?? 0) || isHungry(farm) || (ready < enoughReady && isQuiet());
};

/** Whether the last break was long ago. After a refusal, `onQuiet` is called when it is time to ask again. */
const createQuiet = (clock: Farm["clock"], ms: number, onQuiet: () => void) => {
  let brokenAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  return {
    isOn: (): boolean => {
      if (clock.monotonic() - brokenAt >= ms) return true;
      cancel ??= clock.after(ms, () => {
        cancel = undefined;
        onQuiet();
      });
      return false;
    },
    break: (): void => {
      brokenAt = clock.monotonic();
    },
    end: (): void => cancel?.(),
  };
};

/** A free slot found no ready task. */
const isHungry = (farm: Farm): boolean => {
  const situation = { full: fullTags(farm), hasOthers: farm.registry.hasOthers };
  return [...farm.registry.offers()].some(
    ({ offer }) =>
      (offer.free.slots > 0 || offer.free.light > 0) && choose(offer, farm.ready.sets(), situation) === undefined,
  );
};
