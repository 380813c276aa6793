import type { Batch, Change, Key } from "./batch.ts";
import type { Cipher } from "./cipher.ts";
import { type Columns, tables } from "./columns.ts";
import type { JobRow, TableName } from "./rows.ts";
import { storedForm } from "./secret-columns.ts";

/** A row as an engine writes it. Without columns it is deleted; an update names only the columns that differ. */
export type WrittenRow = {
  readonly table: TableName;
  readonly key: Key;
  readonly kind: "insert" | "update" | "delete";
  /** Texts, numbers and null, in the form in which they are stored. */
  readonly columns: Columns;
};

/** What a batch writes into the tables: the rows in the order of the tables, and the jobs that it removes. */
export const writtenRows = (
  { changes }: Pick<Batch, "changes">,
  cipher: Cipher,
): { readonly rows: WrittenRow[]; readonly deleted: readonly number[] } => {
  const deleted = new Set(changes.flatMap(({ table, key, after }) => (table === "jobs" && !after ? [key[0]] : [])));
  const written = changes.filter((change) => !deleted.has(change.job) || outlivesJob(change));
  const byTable = Map.groupBy(written, ({ table }) => table);
  const rows = inOrder.flatMap((table) => (byTable.get(table) ?? []).flatMap((change) => rowOf(change, cipher)));
  return { rows, deleted: [...deleted].map(Number) };
};

/** Ends stored attempts: the next start must not find them open. */
const outlivesJob = ({ table, before }: Change): boolean =>
  table === "jobs" || (table === "attempts" && before !== undefined);

const inOrder = Object.keys(tables) as TableName[]; // Object.keys forgets the names

const rowOf = (change: Change, cipher: Cipher): WrittenRow[] => {
  const { table, key } = change;
  const [before, after] = [columnsOf(change, change.before), columnsOf(change, change.after)];
  if (!after) return [{ table, key, kind: "delete", columns: {} }];
  const written = Object.entries({ ...(before ? differing(before, after) : after), ...change.more }).filter(
    ([, value]) => value !== undefined,
  );
  if (before && written.length === 0) return [];
  const columns = Object.fromEntries(written.map(([name, value]) => [name, storable(cipher, table, name, value)]));
  return [{ table, key, kind: before ? "update" : "insert", columns }];
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

const storable = (cipher: Cipher, table: TableName, column: string, value: unknown): unknown => {
  const plain = typeof value === "object" && value !== null ? JSON.stringify(value) : value;
  return typeof plain === "string" ? storedForm(cipher, table, column, plain) : plain;
};

export type CountChange = { readonly status: string; readonly substatus: string; readonly n: number };

/** Job counts by state, as deltas. Names of states contain no blanks; the substatus is empty where a job has none. */
export const countChanges = (changes: readonly Change[]): CountChange[] => {
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
  return [...counts].flatMap(([state, n]) => {
    const [status = "", substatus = ""] = state.split(" ", 2);
    return n === 0 ? [] : [{ status, substatus, n }];
  });
};
