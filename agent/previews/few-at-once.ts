import { AppError } from "../../shared/basics/errors.ts";

type Limits = {
  readonly atOnce: number;
  /** More than this are refused. */
  readonly waiting: number;
};

/** Lets a few pieces of work run at a time, in the order in which they came. */
export const createConcurrencyLimit = ({ atOnce, waiting }: Limits) => {
  const queue: (() => void)[] = [];
  let running = 0;

  const turn = async (signal: AbortSignal): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (queue.length >= waiting)
      throw new AppError("UNAVAILABLE", "This node is making many previews already: try again in a moment");
    const mine = Promise.withResolvers<void>();
    const leave = () => {
      const at = queue.indexOf(mine.resolve);
      if (at === -1) return;
      queue.splice(at, 1);
      mine.reject(signal.reason);
    };
    queue.push(mine.resolve);
    signal.addEventListener("abort", leave, { once: true });
    await mine.promise.finally(() => signal.removeEventListener("abort", leave));
  };

  /** The next one inherits the place of the one that has ended. */
  const next = (): void => {
    const begin = queue.shift();
    if (begin) begin();
    else running -= 1;
  };

  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    await turn(signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      next();
    }
  };
};
