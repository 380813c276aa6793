import type { Published } from "../../../shared/work/work.ts";
import { parsed } from "../json.ts";
import type { Store } from "../store.ts";
import { type Ask, opened } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

/** Rows deleted at a time: a few milliseconds' work. Pages of listings are large. */
const rowsAtOnce = 100;
const listingsAtOnce = 20;

/** The rows that deleted jobs leave, one slice at a time; then old submissions. The server vacuums its tables itself. */
export const createMaintenance = (operation: Operation): Store["maintain"] => {
  const clear = operation(clearSlice);
  const end = operation(async (ask, submissions: number) => {
    await ask("DELETE FROM submissions WHERE created <= $1", submissions);
  });
  return async ({ submissions }) => {
    if (await clear()) return true;
    await end(submissions);
    return false;
  };
};

/** False if no deleted job has rows left. */
const clearSlice = async (ask: Ask): Promise<boolean> => {
  const [next] = await ask<{ id: number }>("SELECT id FROM deleted_jobs ORDER BY id LIMIT 1");
  if (!next) return false;
  await keepSections(ask, next.id);
  for (const sql of slicesSql) if ((await ask(sql, next.id)).length > 0) return true;
  await ask("DELETE FROM deleted_jobs WHERE id = $1", next.id);
  return true;
};

/** The files of sections outlive the tasks that made them until somebody has removed them. */
const keepSections = async (ask: Ask, job: number): Promise<void> => {
  const files = (await ask<{ published: string }>(sectionsSql, job)).flatMap(({ published }) =>
    Object.values(parsed<Partial<Published>>(published)?.outputs ?? {}).flat(),
  );
  for (const { uri, size } of files)
    if (typeof size === "number")
      await ask("INSERT INTO section_files (uri, size) VALUES ($1, $2) ON CONFLICT DO NOTHING", uri, size);
};

const nextTasks = `SELECT id FROM tasks WHERE job_id = $1 ORDER BY id LIMIT ${rowsAtOnce}`;

const sectionsSql = `SELECT ${opened("published")} FROM tasks
  WHERE id IN (${nextTasks}) AND purpose = 'stage' AND published IS NOT NULL`;

/** Attempts are deleted with their tasks. */
const slicesSql = [
  `DELETE FROM listings WHERE (task_id, page) IN
     (SELECT task_id, page FROM (${nextTasks}) AS next JOIN listings ON task_id = next.id LIMIT ${listingsAtOnce})
   RETURNING 1`,
  `DELETE FROM tasks WHERE id IN (${nextTasks}) RETURNING 1`,
  `DELETE FROM element_runs WHERE (job_id, uid, path) IN
     (SELECT job_id, uid, path FROM element_runs WHERE job_id = $1 LIMIT ${rowsAtOnce}) RETURNING 1`,
  `DELETE FROM watched_files WHERE ctid IN
     (SELECT ctid FROM watched_files WHERE owner = $1 LIMIT ${rowsAtOnce}) RETURNING 1`,
];
