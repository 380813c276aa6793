import type { Batch, StoreRefusal } from "../batch.ts";
import type { Cipher } from "../cipher.ts";
import { tables } from "../columns.ts";
import { counted, type TableName } from "../rows.ts";
import { countChanges, type WrittenRow, writtenRows } from "../written-rows.ts";
import { columnType } from "./column-types.ts";
import type { Database } from "./connection/database.ts";
import { encodeText } from "./connection/encode-text.ts";
import { refusalOf } from "./connection/problems.ts";
import { repeated } from "./operation.ts";

/** One statement of a batch: its rows are the parameter `$1`, as JSON. */
type Statement = {
  readonly sql: string;
  readonly rows: string;
  /** How many rows it has to change; -1: any number. */
  readonly expected: number;
};

/**
 * Writes a batch by one call of `write_batch`: one transaction in one round trip. Rows of one table that name the same
 * columns share a statement. If it rejects with StoreRefusal, nothing was written, or it is unknown.
 */
export const createBatchWriter =
  ({ ask }: Pick<Database, "ask">, cipher: Cipher) =>
  async (batch: Batch): Promise<void> => {
    const statements = statementsOf(batch, cipher);
    const parameters = statements.map((_, at) => `$${at + 5}::json`);
    const sql = `SELECT write_batch($1, $2, $3::text[], $4::bigint[], VARIADIC ARRAY[${parameters.join(", ")}])`;
    const { epoch, nr } = batch;
    const params = [statements.map((each) => each.sql), statements.map(({ expected }) => expected)];
    try {
      await repeated(() => ask(sql, epoch, nr, ...params, ...statements.map(({ rows }) => rows)), asItIs);
    } catch (problem) {
      throw refusalOf(problem, `batch ${nr} of epoch ${epoch}`) satisfies StoreRefusal;
    }
  };

const asItIs = (problem: unknown): unknown => problem;

const statementsOf = (batch: Batch, cipher: Cipher): Statement[] => {
  const { rows, deleted } = writtenRows(batch, cipher);
  const groups = Map.groupBy(rows, groupOf);
  const counts = countChanges(batch.changes);
  return [
    ...[...groups.values()].map(rowsStatement),
    ...(deleted.length > 0 ? [{ sql: noteSql, rows: JSON.stringify(deleted), expected: deleted.length }] : []),
    ...(counts.length > 0 ? [{ sql: countSql, rows: JSON.stringify(counts), expected: counts.length }] : []),
    { sql: countersSql, rows: JSON.stringify(batch.counters), expected: counted.length },
  ];
};

const noteSql = "INSERT INTO deleted_jobs (id) SELECT value::bigint FROM json_array_elements_text($1)";
const countSql = `INSERT INTO job_counts (status, substatus, n)
  SELECT status, substatus, n FROM json_to_recordset($1) AS r(status text, substatus text, n bigint)
  ON CONFLICT (status, substatus) DO UPDATE SET n = job_counts.n + excluded.n`;
const countersSql = `UPDATE counters SET n = r.value::bigint FROM json_each_text($1) AS r(key, value) WHERE name = r.key`;

/** `writtenRows` gives rows in the order of tables, and groups keep the order of their first rows. */
const groupOf = ({ table, kind, columns }: WrittenRow): string => `${kind} ${table} ${Object.keys(columns).join(" ")}`;

const rowsStatement = (rows: readonly WrittenRow[]): Statement => {
  const [first] = rows as [WrittenRow]; // a group has one
  const { key } = tables[first.table];
  const json = rows.map((row) =>
    Object.fromEntries([
      ...key.map((name, at) => [name, given(row.key[at])]),
      ...Object.entries(row.columns).map(([name, value]) => [name, given(value)]),
    ]),
  );
  const expected = first.kind === "delete" ? -1 : rows.length;
  return { sql: sqlOf(first), rows: JSON.stringify(json), expected };
};

const given = (value: unknown): unknown => (typeof value === "string" ? encodeText(value) : value);

const sqlOf = ({ table, kind, columns }: WrittenRow): string => {
  const { name, key } = tables[table];
  const names = Object.keys(columns);
  const source = `json_to_recordset($1) AS r(${[...key, ...names]
    .map((column) => `${column} ${columnType(table, column).given}`)
    .join(", ")})`;
  const value = (column: string) => `r.${column}${columnType(table, column).cast}`;
  if (kind === "delete") return `DELETE FROM ${name} AS t USING ${source} WHERE ${isSame(table)}`;
  if (kind === "insert") {
    const all = [...key, ...names];
    return `INSERT INTO ${name} (${all.join(", ")}) SELECT ${all.map(value).join(", ")} FROM ${source}`;
  }
  const sets = names.map((column) => `${column} = ${value(column)}`).join(", ");
  return `UPDATE ${name} AS t SET ${sets} FROM ${source} WHERE ${isSame(table)}`;
};

/** The row of the table is that of the batch. A long key is found by the expression of its index. */
const isSame = (table: TableName): string => {
  if (table === "watchedFiles") return "(t.watch || chr(10) || t.uri) = (r.watch || chr(10) || r.uri)";
  return tables[table].key.map((column) => `t.${column} = r.${column}`).join(" AND ");
};
