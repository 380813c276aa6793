import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";

export type AskSql = <Row = Record<string, unknown>>(sql: string) => Promise<Row[]>;

/** Asks the server of a bench, over its socket, on one connection. */
export const openSql = async (folder: string): Promise<AsyncDisposable & { readonly ask: AskSql }> => {
  const client = await connected(folder);
  return {
    ask: async <Row>(sql: string) => (await client.query(sql)).rows as Row[], // what the statement says
    [Symbol.asyncDispose]: () => client.end(),
  };
};

/** A server listens before it has started. */
const connected = async (folder: string): Promise<pg.Client> => {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ host: folder, user: "bench", database: "postgres" });
    client.on("error", () => undefined); // the server may end before it
    try {
      await client.connect();
      return client;
    } catch (problem) {
      if (tries === 100) throw problem;
      await pause(100);
    }
  }
};

/** Puts so many jobs beside the one with this id: like it, waiting, and behind all others. No coordinator may lead meanwhile. */
export const fillWaiting = async (ask: AskSql, like: number, count: number): Promise<void> => {
  await ask("SET synchronous_commit = off");
  await ask("SET session_replication_role = replica"); // copies of rows whose references hold
  const indexes = await ask<{ name: string; sql: string }>(indexesSql);
  for (const { name } of indexes) await ask(`DROP INDEX ${name}`);
  const [{ n: before } = { n: 0 }] = await ask<{ n: string }>("SELECT n FROM counters WHERE name = 'jobs'");
  const columns = await ask<{ table: string; name: string }>(`SELECT table_name AS table, column_name AS name
    FROM information_schema.columns WHERE table_name IN ('jobs', 'job_definitions') AND table_schema = 'public'`);
  const others = (table: string, ...changed: string[]) =>
    columns.filter((each) => each.table === table && !changed.includes(each.name)).map(({ name }) => name);
  const ofJobs = others("jobs", "id", "name", "priority", "status", "substatus", "begun", "start_time", "progress");
  const ofDefinitions = others("job_definitions", "job_id");
  // Some at a time, as a server's memory and its log are bounded.
  for (let done = 0; done < count; done += atOnce) {
    const from = Number(before) + done;
    const ids = `generate_series(${from + 1}, ${from + Math.min(atOnce, count - done)}) AS i`;
    await ask(`INSERT INTO jobs (id, name, priority, status, substatus, begun, progress, ${ofJobs.join(", ")})
      SELECT i, 'job ' || i, 1, 'queued', 'waiting', 0, 0, ${ofJobs.join(", ")} FROM jobs, ${ids} WHERE id = ${like}`);
    await ask(`INSERT INTO job_definitions (job_id, ${ofDefinitions.join(", ")})
      SELECT i, ${ofDefinitions.join(", ")} FROM job_definitions, ${ids} WHERE job_id = ${like}`);
  }
  await ask(`UPDATE counters SET n = n + ${count} WHERE name = 'jobs'`);
  await ask(`INSERT INTO job_counts VALUES ('queued', 'waiting', ${count})
    ON CONFLICT (status, substatus) DO UPDATE SET n = job_counts.n + excluded.n`);
  for (const { sql } of indexes) await ask(sql);
  await ask("VACUUM ANALYZE jobs");
  await ask("VACUUM ANALYZE job_definitions");
  await ask("SET session_replication_role = origin");
  await ask("SET synchronous_commit = on");
};

/** An index is made of a million rows in seconds; kept while they are inserted, it takes minutes. */
const indexesSql = `SELECT indexname AS name, indexdef AS sql FROM pg_indexes
  WHERE schemaname = 'public' AND tablename = 'jobs' AND NOT EXISTS
    (SELECT FROM pg_constraint WHERE conindid = (schemaname || '.' || indexname)::regclass)`;

const atOnce = 100_000;
