import type Database from "better-sqlite3";
import { type JobStatus, jobStatuses } from "../../shared/state/job.ts";
import { type Mark, markEvery, noCounts } from "./job-marks.ts";
import { jobsInOrder, type SortField, type SortKey } from "./job-order.ts";

/** What a field's marks were when `changes` changes of jobs had been made. */
export type FoundMarks = {
  readonly changes: number;
  readonly marks: readonly Mark[];
  readonly last: SortKey | undefined;
};

/** Rows that are walked over before others get their turn: few enough to be forgotten before memory grows for them. */
const atOnce = 2_000;

/**
 * Walks a sorted list of all jobs from end to end in one view of the database, `pause`d again and again so that others
 * are not held up. It reads indexes alone: to look up the status of each job in its row would take many times as long.
 */
export const scanMarks = async (
  db: Database.Database,
  field: SortField,
  pause: () => Promise<void>,
): Promise<FoundMarks> => {
  db.exec("BEGIN");
  try {
    const changes = db.prepare<[], { n: number }>("SELECT n FROM job_changes").get()?.n ?? 0;
    return { changes, ...(await walk(db, field, await readStatuses(db, pause), pause)) };
  } finally {
    db.exec("COMMIT");
  }
};

type Walked = Pick<FoundMarks, "marks" | "last">;
type Row = [id: number, value: SortKey["value"]];

const walk = async (
  db: Database.Database,
  field: SortField,
  statusOf: StatusBook["statusOf"],
  pause: () => Promise<void>,
): Promise<Walked> => {
  const marks: Mark[] = [];
  let counts = noCounts();
  let last: SortKey | undefined;
  let seen = 0;
  for (let rows = rowsBehind(db, field, undefined); rows.length > 0; rows = rowsBehind(db, field, last)) {
    for (const [id, value] of rows) {
      if (seen % markEvery === 0) {
        counts = noCounts();
        marks.push({ key: { value, id }, counts });
      }
      counts[statusOf(id)] += 1;
      seen += 1;
    }
    const [id, value] = rows.at(-1) as Row; // there is one at least
    last = { id, value };
    await pause();
  }
  return { marks, last };
};

const rowsBehind = (db: Database.Database, field: SortField, key: SortKey | undefined): Row[] => {
  const { sql, params } = jobsInOrder(field, "asc", key && { ...key, id: key.id + 1 });
  return db
    .prepare<unknown[], Row>(`${sql} LIMIT ${atOnce}`)
    .raw()
    .all(...params);
};

const readStatuses = async (db: Database.Database, pause: () => Promise<void>): Promise<StatusBook["statusOf"]> => {
  const book = createStatusBook();
  const idsBehind = db
    .prepare<[JobStatus, number], number>(`SELECT id FROM jobs WHERE status = ? AND id > ? ORDER BY id LIMIT ${atOnce}`)
    .pluck();
  for (const status of jobStatuses) {
    for (let ids = idsBehind.all(status, 0); ids.length > 0; ids = idsBehind.all(status, ids.at(-1) ?? 0)) {
      for (const id of ids) book.set(id, status);
      await pause();
    }
  }
  return book.statusOf;
};

type StatusBook = ReturnType<typeof createStatusBook>;

/** Ids of one page of the book. */
const pageSize = 4096;

/** A byte a job; ids that are long gone take no room. */
const createStatusBook = () => {
  const pages = new Map<number, Uint8Array>();
  const pageOf = (id: number): Uint8Array => {
    const nr = Math.floor(id / pageSize);
    const known = pages.get(nr);
    if (known) return known;
    const page = new Uint8Array(pageSize);
    pages.set(nr, page);
    return page;
  };
  return {
    set: (id: number, status: JobStatus): void => {
      pageOf(id)[id % pageSize] = jobStatuses.indexOf(status);
    },
    statusOf: (id: number): JobStatus => jobStatuses[pageOf(id)[id % pageSize] ?? 0] ?? "queued",
  };
};
