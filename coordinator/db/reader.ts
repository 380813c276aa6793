import { Worker } from "node:worker_threads";

/** Long reads (lists, counts, reports) on a thread and a read-only connection of their own: the loop never waits. */
export type Reader = {
  readonly all: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;
  readonly close: () => Promise<void>;
};

type Reply = { readonly id: number; readonly rows?: unknown[]; readonly problem?: string };

/** Beside this file and of its kind: `.ts` in a clone, `.js` in a bundle, which knows the worker as an entry of its own. */
const workerFile = new URL(
  `./reader-worker${import.meta.url.slice(import.meta.url.lastIndexOf("."))}`,
  import.meta.url,
);

export const createReader = (file: string): Reader => {
  const worker = new Worker(workerFile, { workerData: { file } });
  const waiting = new Map<number, { resolve: (rows: unknown[]) => void; reject: (problem: Error) => void }>();
  let lastId = 0;
  let broken: Error | undefined;

  worker.on("message", ({ id, rows, problem }: Reply) => {
    const caller = waiting.get(id);
    waiting.delete(id);
    if (rows) caller?.resolve(rows);
    else caller?.reject(new Error(problem));
  });
  const giveUp = (problem: Error) => {
    broken = problem;
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  };
  worker.on("error", giveUp);
  worker.on("exit", () => giveUp(new Error("The reading thread has ended")));
  worker.unref();

  return {
    all: <Row>(sql: string, params: readonly unknown[]) =>
      new Promise<Row[]>((resolve, reject) => {
        if (broken) return reject(broken);
        lastId += 1;
        // The statement's own store knows the shape of its rows.
        waiting.set(lastId, { resolve: resolve as (rows: unknown[]) => void, reject });
        worker.postMessage({ id: lastId, sql, params });
      }),
    /** Asks the thread to end: to cut it off in the middle of the driver's native code can take the process along. */
    close: () =>
      new Promise((resolve) => {
        if (broken) return resolve();
        worker.ref();
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      }),
  };
};
