import { orAborted } from "../../shared/basics/or-aborted.ts";

type Running<T> = { readonly abort: AbortController; readonly done: Promise<T>; users: number };

/** Work that several may wait for is done once; it is aborted when nobody waits for it any more. */
export const createSharedWork = <T>() => {
  const running = new Map<string, Running<T>>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> => {
    const abort = new AbortController();
    const done = work(abort.signal).finally(() => running.get(key) === now && running.delete(key));
    const now: Running<T> = { abort, done, users: 0 };
    done.catch(() => undefined); // those who wait get the error
    running.set(key, now);
    return now;
  };

  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const now = running.get(key) ?? begin(key, work);
    now.users += 1;
    try {
      return await orAborted(now.done, signal);
    } finally {
      now.users -= 1;
      if (now.users === 0 && running.get(key) === now) {
        // The next one must not wait for work that is being aborted.
        running.delete(key);
        now.abort.abort(signal.reason);
      }
    }
  };
};
