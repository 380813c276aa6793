import { join } from "node:path";
import Database from "better-sqlite3";
import { fastify } from "fastify";
import { openSqlite } from "../../coordinator/store/sqlite/open.ts";
import { parseJob } from "../../media/jobs/parse-job.ts";
import { scratchFolder } from "../farms/scratch.ts";

/**
 * The least that a durable `POST /jobs` can be: Fastify parses, the same schema validates, and a row goes into tables with
 * the farm's own indexes, all of a turn of the loop in one transaction with a flush. Prints its address.
 */
const scratch = scratchFolder();
const folder = join(scratch.path, "bare");
await openSqlite(folder).close();
const db = new Database(join(folder, "farm.db"));
db.pragma("journal_mode = WAL");
db.pragma("synchronous = FULL");
const job = db.prepare<unknown[], { id: number }>(
  `INSERT INTO jobs (name, user_tag, priority, status, substatus, progress, begun, creation_time, expiration)
   VALUES (?, ?, ?, 'queued', 'waiting', 0, 0, ?, ?) RETURNING id`,
);
const definition = db.prepare(
  "INSERT INTO job_definitions (job_id, definition, elements, connections, warnings) VALUES (?, ?, '[]', ?, ?)",
);

type Waiting = { readonly run: () => void; readonly done: () => void };
let waiting: Waiting[] = [];

/** All of a turn of the loop goes into one transaction. */
const flush = (): void => {
  const batch = waiting;
  waiting = [];
  db.transaction(() => {
    for (const { run } of batch) run();
  }).immediate();
  for (const { done } of batch) done();
};

const commit = <T>(fn: () => T): Promise<T> =>
  new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(flush);
    let result: T;
    const run = () => {
      result = fn();
    };
    waiting.push({ run, done: () => resolve(result) });
  });

const app = fastify({ bodyLimit: 4 * 1024 * 1024, forceCloseConnections: true });
app.post("/v1/jobs", async (request) => {
  const body = request.body as Record<string, unknown>; // the bench sends objects
  const spec = parseJob(body);
  return commit(() => {
    const row = job.get(spec.name, spec.userTag, spec.priority, Date.now(), spec.expirationMinutes);
    const { id } = row as { id: number }; // RETURNING on an INSERT of one row gives one row
    definition.run(id, JSON.stringify(body), JSON.stringify(spec.connections), JSON.stringify(spec.warnings));
    return { id: String(id) };
  });
});
const address = await app.listen({ host: "127.0.0.1", port: 0 });
console.log(JSON.stringify({ base_url: `${address}/v1` }));

process.once("SIGTERM", async () => {
  await app.close();
  db.close();
  scratch[Symbol.dispose]();
});
