import type Database from "better-sqlite3";
import type { JobStatus } from "../../shared/state/job.ts";
import { type Mark, markEvery, noCounts } from "./job-marks.ts";
import { jobsInOrder, type SortField, type SortKey } from "./job-order.ts";

/** What a field's marks were when `changes` changes of jobs had been made. */
export type FoundMarks = {
  readonly changes: number;
  readonly marks: readonly Mark[];
  readonly last: SortKey | undefined;
};

/** Stretches that are counted before others get their turn. */
const atOnce = 200;

/**
 * Walks a sorted list of all jobs from end to end in one view of the database, `pause`d again and again so that others
 * are not held up.
 */
export const scanMarks = async (
  db: Database.Database,
  field: SortField,
  pause: () => Promise<void>,
): Promise<FoundMarks> => {
  db.exec("BEGIN");
  try {
    const changes = db.prepare<[], { n: number }>("SELECT n FROM job_changes").get()?.n ?? 0;
    const marks: Mark[] = [];
    for (let key = edge(db, field, "asc"); key; key = nextKey(db, field, key)) {
      marks.push({ key, counts: countsFrom(db, field, key) });
      if (marks.length % atOnce === 0) await pause();
    }
    return { changes, marks, last: edge(db, field, "desc") };
  } finally {
    db.exec("COMMIT");
  }
};

type Found = { readonly page_id: number; readonly value: SortKey["value"] };
const keyOf = (row: Found | undefined): SortKey | undefined => row && { value: row.value, id: row.page_id };

const edge = (db: Database.Database, field: SortField, direction: "asc" | "desc") =>
  keyOf(db.prepare<[], Found>(`${jobsInOrder(field, direction, undefined).sql} LIMIT 1`).get());

const nextKey = (db: Database.Database, field: SortField, key: SortKey) => {
  const { sql, params } = jobsInOrder(field, "asc", key);
  return keyOf(db.prepare<unknown[], Found>(`${sql} LIMIT 1 OFFSET ${markEvery}`).get(...params));
};

const countsFrom = (db: Database.Database, field: SortField, key: SortKey): Mark["counts"] => {
  const { sql, params } = jobsInOrder(field, "asc", key);
  const rows = db
    .prepare<unknown[], { status: JobStatus; n: number }>(
      `WITH stretch AS (${sql} LIMIT ${markEvery})
       SELECT status, count(*) AS n FROM stretch CROSS JOIN jobs ON id = page_id GROUP BY status`,
    )
    .all(...params);
  return { ...noCounts(), ...Object.fromEntries(rows.map(({ status, n }) => [status, n])) };
};
