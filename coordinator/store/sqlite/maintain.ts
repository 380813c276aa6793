import type { Published } from "../../../shared/work/work.ts";
import { parsed } from "../json.ts";
import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** Rows deleted at a time: a few milliseconds' work. Pages of listings are large. */
const rowsAtOnce = 100;
const listingsAtOnce = 20;
/** Free pages that stay for later writes, and how many are released at a time. */
const keptPages = 1000;
const pagesAtOnce = 250;

/**
 * The rows that deleted jobs leave, one slice at a time: large tables are not deleted with the job's row, so that no
 * deletion takes long. Then old submissions, and space for the disk.
 */
export const createMaintenance = ({ writer }: Connections): Store["maintain"] => {
  const forget = writer.prepare("DELETE FROM submissions WHERE created <= ?");
  const clear = createOperation(writer)(createClearing(writer));
  const giveBackSpace = (): void => {
    const free = writer.pragma("freelist_count", { simple: true }) as number; // always one
    if (free > keptPages) writer.pragma(`incremental_vacuum(${Math.min(pagesAtOnce, free - keptPages)})`);
  };
  const end = createOperation(writer)((submissions: number) => void forget.run(submissions));
  return async ({ submissions }) => {
    if (await clear()) return true;
    await end(submissions);
    giveBackSpace();
    return false;
  };
};

/** False if no deleted job has rows left. */
const createClearing = (writer: Connections["writer"]) => {
  const next = writer.prepare<[], number>("SELECT id FROM deleted_jobs LIMIT 1").pluck();
  const forget = writer.prepare("DELETE FROM deleted_jobs WHERE id = ?");
  const sections = writer.prepare<[number], string>(sectionsSql).pluck();
  const keep = writer.prepare("INSERT OR IGNORE INTO section_files (uri, size) VALUES (?, ?)");
  const slices = slicesSql.map((sql) => writer.prepare(sql));
  return (): boolean => {
    const job = next.get();
    if (job === undefined) return false;
    for (const published of sections.all(job)) {
      const { outputs = {} } = parsed<Partial<Published>>(published) ?? {};
      for (const { uri, size } of Object.values(outputs).flat()) if (typeof size === "number") keep.run(uri, size);
    }
    if (!slices.some((slice) => slice.run(job).changes > 0)) forget.run(job);
    return true;
  };
};

const nextTasks = `SELECT id FROM tasks WHERE job_id = ? ORDER BY id LIMIT ${rowsAtOnce}`;

/** The files of sections outlive the tasks that made them until somebody has removed them. */
const sectionsSql = `SELECT opened(published) FROM tasks
  WHERE id IN (${nextTasks}) AND purpose = 'stage' AND published IS NOT NULL`;

/** Attempts are deleted with their tasks. */
const slicesSql = [
  `DELETE FROM listings WHERE (task_id, page) IN
     (SELECT task_id, page FROM (${nextTasks}) AS next JOIN listings ON task_id = next.id LIMIT ${listingsAtOnce})`,
  `DELETE FROM tasks WHERE id IN (${nextTasks})`,
  `DELETE FROM element_runs WHERE (job_id, uid, path) IN
     (SELECT job_id, uid, path FROM element_runs WHERE job_id = ? LIMIT ${rowsAtOnce})`,
  `DELETE FROM watched_files WHERE (watch, uri) IN
     (SELECT watch, uri FROM watched_files WHERE owner = ? LIMIT ${rowsAtOnce})`,
];
