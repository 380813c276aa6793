import { Worker } from "node:worker_threads";
import { siblingModule } from "../../../shared/sibling-module.ts";

/** Long reads (lists, counts, reports) on a thread and a read-only connection of their own: the loop never waits. */
export type Reader = {
  readonly all: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;
  /** Answers to several questions as of one moment. */
  readonly snapshot: (questions: readonly ReaderRequest[]) => Promise<unknown[][]>;
  readonly close: () => Promise<void>;
};

export type ReaderRequest = { readonly sql: string; readonly params: readonly unknown[] };
type Reply = { readonly id: number; readonly found?: unknown; readonly problem?: string };

const workerFile = siblingModule(import.meta.url, "reader-worker");
const ended = "The reading thread has ended";

/** The thread is started by the first question. */
export const createReader = (file: string): Reader => {
  const waiting = new Map<number, { resolve: (found: unknown) => void; reject: (problem: Error) => void }>();
  let lastId = 0;
  let started: Worker | undefined;
  let broken: Error | undefined;

  const giveUp = (problem: Error) => {
    broken = problem;
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  };
  const start = (): Worker => {
    const worker = new Worker(workerFile, { workerData: { file } });
    worker.on("message", ({ id, found, problem }: Reply) => {
      const caller = waiting.get(id);
      waiting.delete(id);
      if (problem === undefined) caller?.resolve(found);
      else caller?.reject(new Error(problem));
    });
    worker.on("error", giveUp);
    worker.on("exit", () => giveUp(new Error(ended)));
    worker.unref();
    return worker;
  };

  const snapshot = (questions: readonly ReaderRequest[]) =>
    new Promise<unknown[][]>((resolve, reject) => {
      if (broken) return reject(broken);
      lastId += 1;
      // Who asks knows what the answer looks like.
      waiting.set(lastId, { resolve: resolve as (found: unknown) => void, reject });
      started ??= start();
      started.postMessage({ id: lastId, questions });
    });

  return {
    all: async <Row>(sql: string, params: readonly unknown[]) => {
      const [rows = []] = await snapshot([{ sql, params }]);
      return rows as Row[]; // who asks knows what the answer looks like
    },
    snapshot,
    /** Asks the thread to end: to cut it off in the middle of the driver's native code can take the process along. */
    close: () =>
      new Promise((resolve) => {
        const worker = started;
        if (!worker) giveUp(new Error(ended)); // nobody is to start it any more
        if (broken || !worker) return resolve();
        worker.ref();
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      }),
  };
};
