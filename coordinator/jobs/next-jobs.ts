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
    first: (): QueuedJob | undefined => next[0],
    removeFirst: (): void => void next.shift(),
    /** Finds those in the store, except these; true if there are any. */
    refill: async (except: ReadonlySet<number>): Promise<boolean> => {
      isAsking = true;
      try {
        const before = [...arrived.values()];
        const most = windowSize + except.size;
        const found = await toBegin(most);
        const all = new Map([...found, ...before, ...arrived.values()].map((each) => [each.id, each]));
        next = [...all.values()].filter(({ id }) => !except.has(id)).sort((a, b) => (goesAfter(a, b) ? 1 : -1));
        isWhole = found.length < most;
        return next.length > 0;
      } finally {
        isAsking = false;
      }
    },
    /** The store may contain more, and is not being asked. */
    mayRefill: (): boolean => next.length === 0 && !isWhole && !isAsking,
    /** A job that is not among them can begin again: the next search finds it. */
    searchAgain: (): void => {
      isWhole = false;
    },
    isAnyArriving: (): boolean => arrived.size > 0,
    /** A submission was decided. Returns the function to call once it is durable, or undone. */
    add: (job: QueuedJob): (() => void) => {
      arrived.set(job.id, job);
      place(job);
      return () => arrived.delete(job.id);
    },
  };
};

const goesAfter = (a: QueuedJob, b: QueuedJob): boolean =>
  a.priority === b.priority ? a.id > b.id : a.priority < b.priority;
