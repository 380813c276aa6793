import { Worker } from "node:worker_threads";
import { siblingModule } from "../../../shared/basics/sibling-module.ts";
import type { Query, ShapedReads } from "./jobs/shaped-reads.ts";

/** Long reads (lists, counts, reports) on their own thread and read-only connection, so the loop never waits. */
export type Reader = {
  readonly all: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;
  /** The number of rows; `from` is the query without its columns. */
  readonly count: (from: string, params: readonly unknown[]) => Promise<number>;
  /** Answers to several queries from one snapshot. */
  readonly snapshot: (questions: readonly Question[]) => Promise<unknown[][]>;
  /** One of the reads that look into JSON. */
  readonly shaped: <N extends keyof ShapedReads>(
    name: N,
    ...args: ShapedReads[N] extends (query: Query, ...args: infer Args) => unknown ? Args : never
  ) => Promise<ReturnType<ShapedReads[N]>>;
  readonly close: () => Promise<void>;
};

type Question = { readonly sql: string; readonly params: readonly unknown[] };
export type ReaderRequest =
  | readonly Question[]
  | { readonly name: keyof ShapedReads; readonly args: readonly unknown[] };
type Reply = { readonly id: number; readonly found?: unknown; readonly problem?: string };

const workerFile = siblingModule(import.meta.url, "reader-worker");
const ended = "The reading thread has ended";
/** Its lists leave their first place soon: more room for new values would only be kept. */
const resourceLimits = { maxYoungGenerationSizeMb: 32 };

/** The first query starts the thread, and the next one after it has crashed starts another. */
export const createReader = (file: string, key: Buffer): Reader => {
  let thread: Thread | undefined;
  let isClosed = false;

  const start = (): Thread => {
    const made = startThread({ file, key }, () => {
      if (thread === made) thread = undefined;
    });
    return made;
  };
  /** The caller knows the type of the answer. */
  const ask = <Answer>(request: ReaderRequest): Promise<Answer> => {
    if (isClosed) return Promise.reject(new Error(ended));
    thread ??= start();
    return thread.ask(request) as Promise<Answer>;
  };
  const all = async <Row>(sql: string, params: readonly unknown[]): Promise<Row[]> => {
    const [rows = []] = await ask<Row[][]>([{ sql, params }]);
    return rows;
  };

  return {
    all,
    count: async (from, params) => {
      const [row] = await all<{ n: number }>(`SELECT count(*) AS n ${from}`, params);
      return row?.n ?? 0;
    },
    snapshot: (questions) => ask(questions),
    shaped: (name, ...args) => ask({ name, args }),
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
};

type Thread = { readonly ask: (request: ReaderRequest) => Promise<unknown>; readonly close: () => Promise<void> };

/** Calls `onEnd` when it ends; whoever still waits for an answer is then refused. */
const startThread = (workerData: { readonly file: string; readonly key: Buffer }, onEnd: () => void): Thread => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  const worker = new Worker(workerFile, { workerData, resourceLimits });
  const giveUp = (problem: Error): void => {
    onEnd();
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
  return {
    ask: (request) => {
      lastId += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(lastId, answer);
      worker.postMessage({ id: lastId, request });
      return answer.promise;
    },
    /** Asks the thread to end: terminating it inside the driver's native code can crash the process. */
    close: () =>
      new Promise((resolve) => {
        worker.ref();
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      }),
  };
};
