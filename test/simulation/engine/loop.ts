type Event = { readonly at: number; readonly nr: number; act: (() => void) | undefined };

/** Simulated time: what is to happen, in order. It moves on to the next event at once. */
export type Loop = {
  /** Milliseconds since the simulation began; no machine knows them. */
  readonly now: () => number;
  /** Calls `act` after so many milliseconds; those of one moment in the order of the calls. Returns what cancels it. */
  readonly after: (ms: number, act: () => void) => () => void;
  /** Events that have happened. */
  readonly count: () => number;
  /** Goes on until the condition holds, or until this time. True: it holds. */
  readonly run: (until: { readonly isDone: () => boolean; readonly at: number }) => Promise<boolean>;
};

/** Kept before any program replaces it. */
const realTurn = globalThis.setImmediate;

export const createLoop = (): Loop => {
  const events = createQueue();
  let [now, nr, count] = [0, 0, 0];
  return {
    now: () => now,
    count: () => count,
    after: (ms, act) => {
      nr += 1;
      const event: Event = { at: now + Math.max(0, ms), nr, act };
      events.add(event);
      return () => {
        event.act = undefined;
      };
    },
    run: async ({ isDone, at }) => {
      while (!isDone()) {
        const next = events.first();
        if (!next || next.at > at) {
          now = Math.max(now, at);
          return false;
        }
        events.drop();
        if (!next.act) continue;
        now = next.at;
        count += 1;
        next.act();
        await settled();
      }
      return true;
    },
  };
};

/** All that follows from an event without waiting has happened: the queue of promises is empty. */
const settled = (): Promise<void> => new Promise((resolve) => realTurn(resolve));

/** A heap: the earliest event first, of one moment the one that was added first. */
const createQueue = () => {
  const heap: Event[] = [];
  const isBefore = (one: number, other: number): boolean => {
    const [a, b] = [heap[one], heap[other]];
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.nr < b.nr));
  };
  const swap = (one: number, other: number): void => {
    const [a, b] = [heap[one], heap[other]];
    if (a && b) [heap[one], heap[other]] = [b, a];
  };
  const sink = (from: number): void => {
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      const least = isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(least, at)) return;
      swap(least, at);
      at = least;
    }
  };
  return {
    first: (): Event | undefined => heap[0],
    add: (event: Event): void => {
      heap.push(event);
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    drop: (): void => {
      const last = heap.pop();
      if (heap.length === 0 || !last) return;
      heap[0] = last;
      sink(0);
    },
  };
};
