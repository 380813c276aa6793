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
      /** True once there is nothing more to do here. */
      const step = (): boolean | undefined => {
        if (isDone()) return true;
        const next = events.first();
        if (!next || next.at > at) {
          now = Math.max(now, at);
          return false;
        }
        events.drop();
        if (!next.act) return undefined;
        now = next.at;
        count += 1;
        next.act();
        settle();
        return undefined;
      };
      for (;;) {
        const isHeld = await inTurn(() => {
          for (let left = inOneTurn; left > 0; left -= 1) {
            const done = step();
            if (done !== undefined) return done;
          }
          return undefined;
        });
        if (isHeld !== undefined) return isHeld;
      }
    },
  };
};

/** Events between two turns of the real loop, in which the process hears of signals. */
const inOneTurn = 2000;

/** From a turn of the real loop the queue of promises can be emptied; from a promise it cannot. */
const inTurn = <T>(act: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    realTurn(() => {
      try {
        resolve(act());
      } catch (problem) {
        reject(problem);
      }
    });
  });

/** Node runs this after each of its own callbacks: what was promised, and what is due at the next tick. */
const { _tickCallback } = process as unknown as { readonly _tickCallback: () => void };

/**
 * All that follows from an event without waiting happens: the queue of promises is empty afterwards. A turn of the real
 * loop would do the same, and takes ten times as long.
 */
const settle = (): void => _tickCallback();

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
