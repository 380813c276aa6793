import type { Store } from "../store/store.ts";

/** The number of next jobs kept in memory. */
const windowSize = 1000;

export type QueuedJob = { readonly id: number; readonly priority: number };

/** The jobs that begin next, by priority and age. The first ones are in memory, the others only in the store. */
export const createNextJobs = ({ toBegin }: Pick<Store["due"], "toBegin">) => {
  /** In the order of beginning. */
  let next: QueuedJob[] = [];
  /** `next` contains all of them. */
  let isWhole = false;
  let isAsking = false;
  /** Jobs that are not durable yet: the store does not return them. */
  const arrived = new Map<number, QueuedJob>();
  /** What arrives while the store is asked: its answer may be older, although they are durable when it comes. */
  let meanwhile: QueuedJob[] = [];

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
    /** The first one that may begin: paused ones are dropped, and added again when they are resumed. */
    first: (isHeld: (id: number) => boolean): QueuedJob | undefined => {
      while (next[0] && isHeld(next[0].id)) next.shift();
      return next[0];
    },
    removeFirst: (): void => void next.shift(),
    /** Finds those in the store, except these; true if there are any. */
    refill: async (except: ReadonlySet<number>): Promise<boolean> => {
      isAsking = true;
      isWhole = true; // who looks for one again meanwhile says that it is not
      meanwhile = [...arrived.values()];
      try {
        const most = windowSize + except.size;
        const found = await toBegin(most);
        const all = new Map([...found, ...meanwhile].map((each) => [each.id, each]));
        next = [...all.values()].filter(({ id }) => !except.has(id)).sort((a, b) => (goesAfter(a, b) ? 1 : -1));
        isWhole &&= found.length < most;
        return next.length > 0;
      } catch (problem) {
        isWhole = false;
        throw problem;
      } finally {
        isAsking = false;
        meanwhile = [];
      }
    },
    /** The store may contain more, and is not being asked. */
    mayRefill: (): boolean => next.length === 0 && !isWhole && !isAsking,
    /** A job that is not among them can begin again: the next search finds it. */
    searchAgain: (): void => {
      isWhole = false;
    },
    isAnyArriving: (): boolean => arrived.size > 0,
    /** A job may begin from now on. Returns the function to call once that is durable, or undone. */
    add: (job: QueuedJob): (() => void) => {
      arrived.set(job.id, job);
      if (isAsking) meanwhile.push(job);
      else place(job);
      return () => arrived.delete(job.id);
    },
  };
};

const goesAfter = (a: QueuedJob, b: QueuedJob): boolean =>
  a.priority === b.priority ? a.id > b.id : a.priority < b.priority;
