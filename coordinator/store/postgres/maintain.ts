import type { Published } from "../../../shared/work/work.ts";
import { parsed } from "../json.ts";
import type { Store } from "../store.ts";
import { type Ask, opened } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

/** Rows deleted at a time: some milliseconds of the server. Pages of listings are large. */
const rowsAtOnce = 500;
const listingsAtOnce = 20;
const jobsAtOnce = 50;

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

/** False if no deleted job has rows left. Small jobs go together: each slice costs a flush of the server's log. */
const clearSlice = async (ask: Ask): Promise<boolean> => {
  const jobs = await idsOf(ask(`SELECT id FROM deleted_jobs ORDER BY id LIMIT ${jobsAtOnce}`));
  if (jobs.length === 0) return false;
  const tasks = await idsOf(ask(`SELECT id FROM tasks WHERE job_id = ANY($1) LIMIT ${rowsAtOnce}`, jobs));
  await keepSections(ask, tasks);
  if ((await ask(listingsSql, tasks)).length === listingsAtOnce) return true;
  await ask("DELETE FROM tasks WHERE id = ANY($1)", tasks); // and their attempts
  if (tasks.length === rowsAtOnce) return true;
  for (const sql of slicesSql) if ((await ask(sql, jobs)).length === rowsAtOnce) return true;
  await ask("DELETE FROM deleted_jobs WHERE id = ANY($1)", jobs);
  return true;
};

const idsOf = async (found: Promise<{ readonly id: number }[]>): Promise<number[]> => (await found).map(({ id }) => id);

/** The files of sections outlive the tasks that made them until somebody has removed them. */
const keepSections = async (ask: Ask, tasks: readonly number[]): Promise<void> => {
  const files = (await ask<{ published: string }>(sectionsSql, tasks)).flatMap(({ published }) =>
    Object.values(parsed<Partial<Published>>(published)?.outputs ?? {}).flat(),
  );
  for (const { uri, size } of files)
    if (typeof size === "number")
      await ask("INSERT INTO section_files (uri, size) VALUES ($1, $2) ON CONFLICT DO NOTHING", uri, size);
};

const sectionsSql = `SELECT ${opened("published")} FROM tasks
  WHERE id = ANY($1) AND purpose = 'stage' AND published IS NOT NULL`;

const listingsSql = `DELETE FROM listings WHERE (task_id, page) IN
    (SELECT task_id, page FROM listings WHERE task_id = ANY($1) LIMIT ${listingsAtOnce})
  RETURNING 1`;

const slicesSql = [
  `DELETE FROM element_runs WHERE (job_id, uid, path) IN
     (SELECT job_id, uid, path FROM element_runs WHERE job_id = ANY($1) LIMIT ${rowsAtOnce}) RETURNING 1`,
  `DELETE FROM watched_files WHERE ctid IN
     (SELECT ctid FROM watched_files WHERE owner = ANY($1) LIMIT ${rowsAtOnce}) RETURNING 1`,
];
