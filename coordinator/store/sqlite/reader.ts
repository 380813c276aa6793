import { Worker } from "node:worker_threads";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import { siblingModule } from "../../../shared/basics/sibling-module.ts";
import { readsFor } from "../reading.ts";
import type { Query, ShapedReads } from "./jobs/shaped-reads.ts";

/** Long reads (lists, counts, reports) on their own thread and read-only connection, so the loop never waits. */
export type Reader = {
  readonly all: <Row>(sql: string, params: readonly unknown[]) => Promise<Row[]>;
  /** The same, each row read by `read`: a few in a turn of the loop, where there are many. */
  readonly read: <Raw, Row>(sql: string, params: readonly unknown[], read: (raw: Raw) => Row) => Promise<Row[]>;
  /** The number of rows; `from` is the query without its columns. */
  readonly count: (from: string, params: readonly unknown[]) => Promise<number>;
  /** Answers to several queries from one snapshot. */
  readonly snapshot: (questions: readonly Question[]) => Promise<unknown[][]>;
  /** One of the reads that look into JSON. */
  readonly shaped: <N extends keyof ShapedReads>(
    name: N,
    ...args: ShapedReads[N] extends (query: Query, ...args: infer Args) => unknown ? Args : never
  ) => Promise<ReturnType<ShapedReads[N]>>;
  /**
   * Copies the log into the database after the query that runs, and before all that wait. `rest` then copies what was
   * written meanwhile, before the next query begins.
   */
  readonly checkpoint: (rest: () => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Question = {
  readonly sql: string;
  readonly params: readonly unknown[];
  /** What becomes of each row. */
  readonly read?: (raw: never) => unknown;
};
export type ReaderRequest =
  | readonly Question[]
  | typeof checkpointRequest
  | { readonly name: keyof ShapedReads; readonly args: readonly unknown[] };
export const checkpointRequest = "checkpoint";
/** After a checkpoint the thread waits for this. */
export const goOn = "go on";
/** Some rows of one list of an answer. */
export type Part = {
  readonly list: number;
  readonly rows: readonly unknown[];
  /** There is one list, which is the answer. */
  readonly isOne: boolean;
};
/** Of SQLite's errors the code as well, by which those of the disk are known. */
type ReaderProblem = { readonly message: string; readonly code?: unknown };
/** An error as it is sent to whoever asked. */
export const problemOf = (thrown: unknown): ReaderProblem => ({
  message: messageOf(thrown),
  ...(thrown instanceof Error && "code" in thrown && { code: thrown.code }),
});
/** An answer, or a part of a long one: the next part comes when it is asked for. */
export type Reply = {
  readonly id: number;
  readonly found?: unknown;
  readonly problem?: ReaderProblem;
  readonly part?: Part | undefined;
  readonly isMore?: boolean;
  /** Milliseconds of a processor that the read took, on the first part. */
  readonly took?: number;
};

const workerFile = siblingModule(import.meta.url, "reader-worker");
/** It was closed, or has crashed: the next query starts another. */
const ended = () => new AppError("UNAVAILABLE", "The reading thread has ended");
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
  const ask = <Answer>(request: ReaderRequest, reads: Reads = []): Promise<Answer> => {
    if (isClosed) return Promise.reject(ended());
    thread ??= start();
    return thread.ask(request, reads) as Promise<Answer>;
  };
  const snapshot = (questions: readonly Question[]): Promise<unknown[][]> =>
    ask(
      questions.map(({ sql, params }) => ({ sql, params })),
      questions.map(({ read }) => read),
    );
  const all = async <Row>(sql: string, params: readonly unknown[]): Promise<Row[]> => {
    const [rows = []] = await ask<Row[][]>([{ sql, params }]);
    return rows;
  };

  return {
    all,
    read: async <Raw, Row>(sql: string, params: readonly unknown[], read: (raw: Raw) => Row) => {
      const [rows = []] = await snapshot([{ sql, params, read }]);
      return rows as Row[]; // what `read` gives
    },
    count: async (from, params) => {
      const [row] = await all<{ n: number }>(`SELECT count(*) AS n ${from}`, params);
      return row?.n ?? 0;
    },
    snapshot,
    shaped: (name, ...args) => ask({ name, args }),
    checkpoint: async (rest) => {
      const asked = ask<void>(checkpointRequest);
      const asks = thread;
      try {
        await asked;
        rest();
      } finally {
        asks?.goOn();
      }
    },
    close: async () => {
      isClosed = true;
      await thread?.close();
    },
  };
};

type Reads = readonly Question["read"][];
type Thread = {
  readonly ask: (request: ReaderRequest, reads: Reads) => Promise<unknown>;
  readonly goOn: () => void;
  readonly close: () => Promise<void>;
};
type Asker = PromiseWithResolvers<unknown> & {
  readonly reads: Reads;
  readonly lists: unknown[][];
  readonly tell: ((took: number) => void) | undefined;
};

const rowsOf = ({ reads }: Asker, { list, rows }: Omit<Part, "isOne">): readonly unknown[] => {
  const read = reads[list] as ((raw: unknown) => unknown) | undefined; // whoever asked knows the rows
  return read ? rows.map(read) : rows;
};

/** Calls `onEnd` when it ends; whoever still waits for an answer is then refused. */
const startThread = (workerData: { readonly file: string; readonly key: Buffer }, onEnd: () => void): Thread => {
  const waiting = new Map<number, Asker>();
  let [lastId, isClosing] = [0, false];
  const worker = new Worker(workerFile, { workerData, resourceLimits });
  const giveUp = (problem: Error): void => {
    onEnd();
    for (const { reject } of waiting.values()) reject(problem);
    waiting.clear();
  };
  const answer = (asker: Asker, { id, found, problem, part, isMore }: Reply): void => {
    if (problem !== undefined) throw Object.assign(new Error(problem.message), { code: problem.code });
    if (!part) {
      const isRead = asker.reads.some((read) => read !== undefined);
      const lists = found as unknown[][]; // to be read row by row: answers to questions alone are
      asker.resolve(isRead ? lists.map((rows, list) => rowsOf(asker, { list, rows })) : found);
      return;
    }
    const own = asker.lists[part.list] ?? [];
    asker.lists[part.list] = own;
    own.push(...rowsOf(asker, part));
    // In another turn: an answer that is there at once would be read in this one.
    if (isMore) setImmediate(() => worker.postMessage({ id }));
    else asker.resolve(part.isOne ? own : asker.lists);
  };
  worker.on("message", (reply: Reply) => {
    const asker = waiting.get(reply.id);
    if (!reply.isMore) waiting.delete(reply.id);
    if (!asker) return;
    if (reply.took !== undefined) asker.tell?.(reply.took);
    try {
      answer(asker, reply);
    } catch (problem) {
      waiting.delete(reply.id);
      asker.reject(problem);
    }
    if (waiting.size === 0 && !isClosing) worker.unref();
  });
  worker.on("error", giveUp);
  worker.on("exit", () => giveUp(ended()));
  worker.unref();
  return {
    ask: (request, reads) => {
      lastId += 1;
      const asker = { ...Promise.withResolvers<unknown>(), reads, lists: [], tell: readsFor() };
      waiting.set(lastId, asker);
      worker.ref(); // a program that waits for an answer alone must not end
      worker.postMessage({ id: lastId, request });
      return asker.promise;
    },
    goOn: () => worker.postMessage(goOn),
    /** Asks the thread to end: terminating it inside the driver's native code can crash the process. */
    close: () =>
      new Promise((resolve) => {
        isClosing = true;
        worker.ref();
        worker.once("exit", () => resolve());
        worker.postMessage("close");
      }),
  };
};
