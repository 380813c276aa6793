import type Database from "better-sqlite3";
import { messageOf } from "../../../shared/basics/errors.ts";
import { getOrInsert } from "../../../shared/basics/get-or-insert.ts";
import { type Batch, StoreRefusal } from "../batch.ts";
import type { Cipher } from "../cipher.ts";
import { tables } from "../columns.ts";
import { counted } from "../rows.ts";
import { countChanges, type WrittenRow, writtenRows } from "../written-rows.ts";
import { asAnswer, diskProblemOf, isDamage } from "./file/disk-problems.ts";

/** Writes a batch in one IMMEDIATE transaction. If it throws StoreRefusal, nothing was written. */
export const createBatchWriter = (writer: Database.Database, cipher: Cipher) => {
  const [begin, end] = [writer.prepare("BEGIN IMMEDIATE"), writer.prepare("COMMIT")];
  const lead = writer.prepare("UPDATE lead SET batch = ? WHERE epoch = ? AND batch = ?");
  const note = writer.prepare("INSERT INTO deleted_jobs (id) VALUES (?)");
  const raise = writer.prepare("UPDATE counters SET n = ? WHERE name = ?");
  const count = writer.prepare(
    `INSERT INTO job_counts (status, substatus, n) VALUES (?, ?, ?)
     ON CONFLICT (status, substatus) DO UPDATE SET n = n + excluded.n`,
  );
  const writeRow = createRowWriter(writer);

  const writeAll = (batch: Batch): void => {
    const { epoch, nr, changes, counters } = batch;
    if (lead.run(nr, epoch, nr - 1).changes === 0)
      throw new StoreRefusal("fenced", `Another coordinator leads: batch ${nr} of epoch ${epoch} was refused`);
    const { rows, deleted } = writtenRows(batch, cipher);
    for (const row of rows) writeRow(row);
    for (const id of deleted) note.run(id);
    for (const { status, substatus, n } of countChanges(changes)) count.run(status, substatus, n);
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

/** Inserts, updates or deletes one row. Each column that is named costs checks and index writes. */
const createRowWriter = (writer: Database.Database) => {
  const statements = new Map<string, Database.Statement>();
  const prepared = (sql: string): Database.Statement => getOrInsert(statements, sql, () => writer.prepare(sql));
  return ({ table, key: id, kind, columns }: WrittenRow): void => {
    const { name, key } = tables[table];
    const where = key.map((column) => `${column} = ?`).join(" AND ");
    const [names, values] = [Object.keys(columns), Object.values(columns)];
    if (kind === "delete") prepared(`DELETE FROM ${name} WHERE ${where}`).run(...id);
    else if (kind === "insert") {
      const all = [...key, ...names];
      prepared(`INSERT INTO ${name} (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`).run(
        ...id,
        ...values,
      );
    } else {
      const sets = names.map((column) => `${column} = ?`).join(", ");
      const { changes } = prepared(`UPDATE ${name} SET ${sets} WHERE ${where}`).run(...values, ...id);
      if (changes !== 1) throw new Error(`${name} ${id.join(" ")} is not in the store`);
    }
  };
};

const refusalOf = (problem: unknown, wasOpen: boolean): StoreRefusal => {
  if (problem instanceof StoreRefusal) return problem;
  const message = diskProblemOf(problem, "stored");
  // What needs no damaged page is written when each decision has a batch of its own.
  if (message === undefined || (wasOpen && isDamage(problem)))
    return new StoreRefusal("content", message ?? messageOf(problem), { cause: asAnswer(problem, "stored") });
  // A COMMIT that fails and leaves no transaction may have reached the disk.
  return new StoreRefusal(wasOpen ? "disk" : "unknown", message, { cause: problem });
};
