import { answerOf, type Patience, type Thread } from "./thread.ts";

/** How many threads work at a time, and how long one waits for more work. */
export type PoolSize = { readonly atOnce: number; readonly idleMs: number };

type Idle = { readonly thread: Thread; readonly forget: () => void };

/**
 * Threads that answer one question each at a time. One that does not answer in time, or breaks, is ended, and costs its
 * own asker alone; others stay for the next question.
 */
export const createThreadPool = <Question, Answer>(
  open: () => Thread,
  { atOnce, idleMs, clock }: PoolSize & Pick<Patience, "clock">,
) => {
  const idle: Idle[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  const turn = async (): Promise<void> => {
    if (busy < atOnce) busy += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const pass = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  };
  const take = (): Thread => {
    const rested = idle.pop();
    rested?.forget();
    const thread = rested?.thread ?? open();
    thread.ref();
    return thread;
  };
  const rest = (thread: Thread): void => {
    thread.unref();
    const end = (): void => {
      const at = idle.findIndex((each) => each.thread === thread);
      if (at >= 0) idle.splice(at, 1)[0]?.forget();
      void thread.terminate();
    };
    const stop = clock.after(idleMs, end);
    thread.once("error", end).once("exit", end);
    const forget = (): void => {
      stop();
      thread.off("error", end).off("exit", end);
    };
    idle.push({ thread, forget });
  };

  return {
    ask: async (question: Question, patience: Omit<Patience, "clock">): Promise<Answer> => {
      await turn();
      let thread: Thread | undefined;
      try {
        patience.signal.throwIfAborted();
        thread = take();
        thread.postMessage(question);
        const said = await answerOf<Answer>(thread, { ...patience, clock });
        rest(thread);
        thread = undefined;
        return said;
      } finally {
        void thread?.terminate();
        pass();
      }
    },
    /** Ends the threads that wait. */
    stop: (): void => {
      for (const { thread, forget } of idle.splice(0)) {
        forget();
        void thread.terminate();
      }
    },
  };
};
