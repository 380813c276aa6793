import type { Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** Rows deleted at a time: a few milliseconds' work. Pages of listings are large. */
const rowsAtOnce = 100;
const pagesAtOnce = 20;

/** The leftovers of deleted jobs: large tables are not deleted with the job's row, so that no deletion takes long. */
export const createLeftovers = ({ writer }: Connections): Pick<Store, "clearLeftovers"> => {
  const next = writer.prepare<[], number>("SELECT id FROM deleted_jobs LIMIT 1").pluck();
  const forget = writer.prepare("DELETE FROM deleted_jobs WHERE id = ?");
  const keepSections = writer.prepare(sectionsSql);
  const slices = slicesSql.map((sql) => writer.prepare(sql));
  return {
    clearLeftovers: createOperation(writer)(() => {
      const job = next.get();
      if (job === undefined) return false;
      keepSections.run(job);
      if (!slices.some((slice) => slice.run(job).changes > 0)) forget.run(job);
      return true;
    }),
  };
};

const nextTasks = `SELECT id FROM tasks WHERE job_id = ? ORDER BY id LIMIT ${rowsAtOnce}`;

/** The files of sections outlive the tasks that made them until somebody has removed them. */
const sectionsSql = `INSERT OR IGNORE INTO section_files (uri, size)
  SELECT file.value ->> '$.uri', file.value ->> '$.size'
  FROM tasks, json_each(published, '$.outputs') AS made, json_each(made.value) AS file
  WHERE tasks.id IN (${nextTasks}) AND purpose = 'facts' AND weight = 'full' AND file.value ->> '$.size' IS NOT NULL`;

/** Attempts are deleted with their tasks. */
const slicesSql = [
  `DELETE FROM listings WHERE (task_id, page) IN
     (SELECT task_id, page FROM (${nextTasks}) AS next JOIN listings ON task_id = next.id LIMIT ${pagesAtOnce})`,
  `DELETE FROM tasks WHERE id IN (${nextTasks})`,
  `DELETE FROM element_runs WHERE (job_id, uid, path) IN
     (SELECT job_id, uid, path FROM element_runs WHERE job_id = ? LIMIT ${rowsAtOnce})`,
  `DELETE FROM watched_files WHERE (watch, uri) IN
     (SELECT watch, uri FROM watched_files WHERE owner = ? LIMIT ${rowsAtOnce})`,
];
