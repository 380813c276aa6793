import { Worker } from "node:worker_threads";
import { siblingModule } from "../../../shared/sibling-module.ts";

/** Long reads (lists, counts, reports) on their own thread and read-only connection, so the loop never waits. */
export type Reader = {
  readonly all: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;
  /** The number of rows; `from` is the query without its columns. */
  readonly count: (from: string, params: readonly unknown[]) => Promise<number>;
  /** Answers to several queries from one snapshot. */
  readonly snapshot: (questions: readonly ReaderRequest[]) => Promise<unknown[][]>;
  readonly close: () => Promise<void>;
};

export type ReaderRequest = { readonly sql: string; readonly params: readonly unknown[] };
type Reply = { readonly id: number; readonly found?: unknown; readonly problem?: string };

const workerFile = siblingModule(import.meta.url, "reader-worker");
const ended = "The reading thread has ended";

/** The first query starts the thread, and the next one after it has crashed starts another. */
export const createReader = (file: string): Reader => {
  const waiting = new Map<number, { resolve: (found: unknown) => void; reject: (problem: Error) => void }>();
  let lastId = 0;
  let started: Worker | undefined;
  let isClosed = false;

  const start = (): Worker => {
    const worker = new Worker(workerFile, { workerData: { file } });
    const giveUp = (problem: Error) => {
      if (started !== worker) return; // its error came before its exit
      started = undefined;
      for (const { reject } of waiting.values()) reject(problem);
      waiting.clear();
    };
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
      if (isClosed) return reject(new Error(ended));
      lastId += 1;
      // The caller knows the type of the answer.
      waiting.set(lastId, { resolve: resolve as (found: unknown) => void, reject });
      started ??= start();
      started.postMessage({ id: lastId, questions });
    });

  const all = async <Row>(sql: string, params: readonly unknown[]): Promise<Row[]> => {
    const [rows = []] = await snapshot([{ sql, params }]);
    return rows as Row[]; // the caller knows the type of the answer
  };

  return {
    all,
    count: async (from, params) => {
      const [row] = await all<{ n: number }>(`SELECT count(*) AS n ${from}`, params);
      return row?.n ?? 0;
    },
    snapshot,
    /** Asks the thread to end: terminating it inside the driver's native code can crash the process. */
    close: () =>
      new Promise((resolve) => {
        isClosed = true;
        if (!started) return resolve();
        started.ref();
        started.once("exit", () => resolve());
        started.postMessage("close");
      }),
  };
};
