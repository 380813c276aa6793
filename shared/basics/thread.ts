import type { Clock } from "./clock.ts";
import { messageOf } from "./errors.ts";

/** The listener of a message says what it hears. */
type Listen = <T>(event: "message" | "error" | "exit", listener: (value: T) => void) => Thread;

/** Code that runs beside the program: a worker of Node, of which no more is used. */
export type Thread = {
  postMessage(question: unknown): void;
  once: Listen;
  off: Listen;
  ref(): void;
  unref(): void;
  terminate(): unknown;
};

export type Patience = {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal: AbortSignal;
  /** What it means if the thread says nothing for so long, and if it ends without a word. */
  readonly late: () => Error;
  readonly broken: (why: string) => Error;
};

/** The thread's next message. Rejects if it breaks, takes too long, or the signal aborts: the caller ends it then. */
export const answerOf = async <T>(thread: Thread, { clock, ms, signal, late, broken }: Patience): Promise<T> => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onError = (error: unknown): void => reject(broken(messageOf(error)));
  const onExit = (): void => reject(broken("it ended without a result"));
  const onAbort = (): void => reject(signal.reason);
  thread.once("message", resolve).once("error", onError).once("exit", onExit);
  signal.addEventListener("abort", onAbort, { once: true });
  const stop = clock.after(ms, () => reject(late()));
  try {
    return await promise;
  } finally {
    stop();
    signal.removeEventListener("abort", onAbort);
    thread.off("message", resolve).off("error", onError).off("exit", onExit);
  }
};
