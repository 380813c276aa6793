import type Database from "better-sqlite3";
import { messageOf } from "../../../shared/basics/errors.ts";
import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import { type Batch, type Change, StoreRefusal } from "../batch.ts";
import { counted, type JobRow, type TableName } from "../rows.ts";
import { diskProblemOf } from "./operation.ts";
import { type Columns, tables } from "./tables.ts";

/** Writes a batch in one IMMEDIATE transaction. If it throws StoreRefusal, nothing was written. */
export const createBatchWriter = (writer: Database.Database) => {
  const [begin, end] = [writer.prepare("BEGIN IMMEDIATE"), writer.prepare("COMMIT")];
  const lead = writer.prepare("UPDATE lead SET batch = ? WHERE epoch = ? AND batch = ?");
  const note = writer.prepare("INSERT INTO deleted_jobs (id) VALUES (?)");
  const raise = writer.prepare("UPDATE counters SET n = ? WHERE name = ?");
  const count = writer.prepare(
    `INSERT INTO job_counts (status, substatus, n) VALUES (?, ?, ?)
     ON CONFLICT (status, substatus) DO UPDATE SET n = n + excluded.n`,
  );
  const writeRow = createRowWriter(writer);

  const writeAll = ({ epoch, nr, changes, counters }: Batch): void => {
    if (lead.run(nr, epoch, nr - 1).changes === 0)
      throw new StoreRefusal("fenced", `Another coordinator leads: batch ${nr} of epoch ${epoch} was refused`);
    const deleted = new Set(changes.flatMap(({ table, job, after }) => (table === "jobs" && !after ? [job] : [])));
    const written = changes.filter((change) => !deleted.has(change.job) || outlivesJob(change));
    for (const table of inOrder) for (const change of written) if (change.table === table) writeRow(change);
    for (const id of deleted) note.run(id);
    for (const [state, n] of countsOf(changes)) count.run(...(state.split(" ", 2) as [string, string]), n); // of two words
    for (const name of counted) raise.run(counters[name], name);
  };

  return (batch: Batch): void => {
    try {
      begin.run();
      writeAll(batch);
      end.run();
    } catch (problem) {
      const isOpen = writer.inTransaction;
      if (isOpen) writer.exec("ROLLBACK");
      throw refusalOf(problem, isOpen);
    }
  };
};

/** Ends stored attempts: the next start must not find them open. */
const outlivesJob = ({ table, before }: Change): boolean =>
  table === "jobs" || (table === "attempts" && before !== undefined);

const inOrder = Object.keys(tables) as TableName[]; // Object.keys forgets the names

/** Job counts by state, as deltas. Names of states contain no blanks. */
const countsOf = (changes: readonly Change[]): Map<string, number> => {
  const counts = new Map<string, number>();
  const add = (row: JobRow | undefined, by: number) => {
    if (!row) return;
    const state = `${row.status} ${row.substatus ?? ""}`;
    counts.set(state, (counts.get(state) ?? 0) + by);
  };
  for (const change of changes) {
    if (change.table !== "jobs") continue;
    add(change.before, -1);
    add(change.after, 1);
  }
  return new Map([...counts].filter(([, n]) => n !== 0));
};

/**
 * Inserts, updates or deletes one row. An update names only the columns that differ, because each costs checks and
 * index writes.
 */
const createRowWriter = (writer: Database.Database) => {
  const statements = new Map<string, Database.Statement>();
  const prepared = (sql: string): Database.Statement => getOrInsert(statements, sql, () => writer.prepare(sql));
  return (change: Change): void => {
    const { name, key } = tables[change.table];
    const where = key.map((column) => `${column} = ?`).join(" AND ");
    const [before, after] = [columnsOf(change, change.before), columnsOf(change, change.after)];
    if (!after) {
      prepared(`DELETE FROM ${name} WHERE ${where}`).run(...change.key);
      return;
    }
    const written = { ...(before ? differing(before, after) : after), ...change.more };
    const columns = Object.keys(written).filter((column) => written[column] !== undefined);
    const values = columns.map((column) => storable(written[column]));
    if (!before) {
      const all = [...key, ...columns];
      prepared(`INSERT INTO ${name} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`).run(
        ...change.key,
        ...values,
      );
    } else if (columns.length > 0) {
      const sets = columns.map((column) => `${column} = ?`).join(", ");
      const { changes } = prepared(`UPDATE ${name} SET ${sets} WHERE ${where}`).run(...values, ...change.key);
      if (changes !== 1) throw new Error(`${name} ${change.key.join(" ")} is not in the store`);
    }
  };
};

const columnsOf = (change: Change, row: Change["after"]): Columns | undefined =>
  row && tables[change.table].columns(row as never); // the row belongs to the change's own table

/** A column that becomes undefined is set to NULL. */
const differing = (before: Columns, after: Columns): Columns =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([column, value]) => before[column] !== value)
      .map(([column, value]) => [column, value ?? null]),
  );

const storable = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value;

const refusalOf = (problem: unknown, wasOpen: boolean): StoreRefusal => {
  if (problem instanceof StoreRefusal) return problem;
  const message = diskProblemOf(problem);
  if (message === undefined) return new StoreRefusal("content", messageOf(problem), { cause: problem });
  // A COMMIT that fails and leaves no transaction may have reached the disk.
  return new StoreRefusal(wasOpen ? "disk" : "unknown", message, { cause: problem });
};
