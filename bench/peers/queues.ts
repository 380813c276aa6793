import pg from "pg";
import type { Server } from "./server.ts";

/** A queue of others: puts so many jobs in, then lets workers do them all; gives milliseconds from start to last. */
export type Queue = AsyncDisposable & { readonly run: (count: number) => Promise<number> };

/** A queue of others that takes jobs: resolves once the job is stored. */
export type Taker = AsyncDisposable & { readonly add: (payload: object) => Promise<unknown> };

/** Jobs that are done side by side, as many as the farm's nodes take. */
export const concurrency = 100;

/** A package that only benches need; undefined where it is not installed. Its types are said where it is used. */
const load = async <T>(name: string): Promise<T | undefined> => {
  try {
    return (await import(name)) as T; // what the caller says of it
  } catch {
    return undefined;
  }
};

type GraphileWorker = {
  readonly Logger: new (factory: () => () => void) => object;
  readonly run: (options: object) => Promise<{ readonly stop: () => Promise<void> }>;
  readonly makeWorkerUtils: (options: object) => Promise<{
    readonly migrate: () => Promise<void>;
    readonly addJob: (task: string, payload: object) => Promise<unknown>;
    readonly withPgClient: (
      fn: (client: { query: (sql: string) => Promise<unknown> }) => Promise<void>,
    ) => Promise<void>;
    readonly release: () => Promise<void>;
  }>;
};

/** graphile-worker; `more`: settings other than its own, such as those that take and complete jobs by the batch. */
export const graphileWorker = async ({ folder }: Server, more: object = {}): Promise<Queue | undefined> => {
  const worker = await load<GraphileWorker>("graphile-worker");
  if (!worker) return undefined;
  const connectionString = `postgres://bench@/postgres?host=${encodeURIComponent(folder)}`;
  const utils = await worker.makeWorkerUtils({ connectionString });
  await utils.migrate();
  return {
    run: async (count) => {
      const add = `SELECT graphile_worker.add_job('work') FROM generate_series(1, ${count})`;
      await utils.withPgClient(async (client) => void (await client.query(add)));
      const all = countdown(count);
      const begun = performance.now();
      const taskList = { work: async () => all.one() };
      const shared = { connectionString, concurrency, maxPoolSize: concurrency, noHandleSignals: true, taskList };
      // Its lines for each task would count against it.
      const logger = new worker.Logger(() => () => undefined);
      const runner = await worker.run({ ...shared, logger, pollInterval: 50, ...more });
      await all.done;
      await runner.stop(); // the last completions are part of it
      return performance.now() - begun;
    },
    [Symbol.asyncDispose]: () => utils.release(),
  };
};

/** graphile-worker as a taker of jobs. */
export const graphileTaker = async ({ folder }: Server, callers: number): Promise<Taker | undefined> => {
  const worker = await load<GraphileWorker>("graphile-worker");
  if (!worker) return undefined;
  // Its own pool falls over when the server ends: this one is ended before.
  const pgPool = new pg.Pool({ host: folder, user: "bench", database: "postgres", max: callers });
  pgPool.on("error", () => undefined);
  const utils = await worker.makeWorkerUtils({ pgPool });
  await utils.migrate();
  return {
    add: (payload) => utils.addJob("work", payload),
    [Symbol.asyncDispose]: async () => {
      await utils.release();
      await pgPool.end();
    },
  };
};

type BullMq = {
  readonly Queue: new (
    name: string,
    options: object,
  ) => {
    addBulk: (jobs: readonly object[]) => Promise<unknown>;
    close: () => Promise<void>;
  };
  readonly Worker: new (
    name: string,
    work: () => Promise<void>,
    options: object,
  ) => {
    on: (event: "completed", fn: () => void) => void;
    close: () => Promise<void>;
  };
};

export const bullMq = async ({ socket }: Server): Promise<Queue | undefined> => {
  const bull = await load<BullMq>("bullmq");
  if (!bull) return undefined;
  const connection = { path: socket, maxRetriesPerRequest: null };
  const queue = new bull.Queue("bench", { connection });
  return {
    run: async (count) => {
      await queue.addBulk([...Array(count).keys()].map((nr) => ({ name: "work", data: { nr } })));
      const all = countdown(count);
      const begun = performance.now();
      const worker = new bull.Worker("bench", async () => undefined, { connection, concurrency });
      worker.on("completed", all.one);
      await all.done;
      const ms = performance.now() - begun;
      await worker.close();
      return ms;
    },
    [Symbol.asyncDispose]: () => queue.close(),
  };
};

type PgBoss = new (
  options: object,
) => {
  start: () => Promise<unknown>;
  stop: (options: object) => Promise<void>;
  on: (event: "error", listener: () => void) => void;
  createQueue: (name: string) => Promise<void>;
  insert: (name: string, jobs: readonly object[]) => Promise<unknown>;
  send: (name: string, job: object) => Promise<unknown>;
  fetch: (name: string) => Promise<readonly { readonly id: string }[]>;
  complete: (name: string, id: string) => Promise<unknown>;
};

const startBoss = async ({ folder }: Server) => {
  const loaded = await load<{ readonly PgBoss: PgBoss }>("pg-boss");
  if (!loaded) return undefined;
  const boss = new loaded.PgBoss({ host: folder, user: "bench", database: "postgres", max: 50, supervise: false });
  boss.on("error", () => undefined); // its connections end with the server, which may be before it
  await boss.start();
  await boss.createQueue("bench");
  return boss;
};

/** pg-boss as a taker of jobs. */
export const pgBossTaker = async (server: Server): Promise<Taker | undefined> => {
  const boss = await startBoss(server);
  if (!boss) return undefined;
  return {
    add: (payload) => boss.send("bench", payload),
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
};

/** pg-boss, its jobs fetched and completed one by one by as many loops. */
export const pgBoss = async (server: Server): Promise<Queue | undefined> => {
  const boss = await startBoss(server);
  if (!boss) return undefined;
  return {
    run: async (count) => {
      await boss.insert(
        "bench",
        [...Array(count)].map(() => ({})),
      );
      const begun = performance.now();
      let left = count;
      const loop = async (): Promise<void> => {
        while (left > 0) {
          const [job] = await boss.fetch("bench");
          if (!job) return;
          await boss.complete("bench", job.id);
          left -= 1;
        }
      };
      await Promise.all([...Array(concurrency)].map(loop));
      return performance.now() - begun;
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  };
};

const countdown = (count: number) => {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let left = count;
  return {
    done,
    one: (): void => {
      left -= 1;
      if (left === 0) resolve();
    },
  };
};
