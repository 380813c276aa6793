import { createHash } from "node:crypto";
import { AppError } from "../../../shared/basics/errors.ts";
import { type MovedTable, movedTables, type RawTables } from "./tables.ts";

/** What a table holds: how many rows, and a hash of all of them in the order of the key. */
export type TableSum = { readonly name: string; readonly rows: number; readonly hash: string };

/**
 * Copies all tables, and compares both stores row by row. Begun anew after a break, it goes on: rows that are there stay, and
 * what differs in the end is named. `tell` hears of each table once it is the same in both.
 */
export const moveTables = async (
  from: RawTables,
  to: RawTables,
  tell: (sum: TableSum) => void = () => undefined,
): Promise<void> => {
  for (const table of movedTables) {
    const columns = await sameColumns(table, from, to);
    if (table.isPreset) continue;
    for await (const rows of from.read(table, columns)) await to.insert(table, columns, rows);
    tell(await sameSums(table, columns, from, to));
  }
  await to.setLastIds(await from.lastIds());
  for (const table of movedTables.filter(({ isPreset }) => isPreset)) {
    const columns = await sameColumns(table, from, to);
    // A preset table is replaced as a whole: it has a few rows.
    for await (const rows of from.read(table, columns)) await to.insert(table, columns, rows);
    tell(await sameSums(table, columns, from, to));
  }
};

const sameColumns = async (table: MovedTable, from: RawTables, to: RawTables): Promise<readonly string[]> => {
  const [one, other] = await Promise.all([from.columns(table), to.columns(table)]);
  if (one.join() === other.join()) return one;
  throw new AppError("CONFLICT", `The table ${table.name} has other columns there: ${one.join()} and ${other.join()}`);
};

const sumOf = async (table: MovedTable, columns: readonly string[], store: RawTables): Promise<TableSum> => {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of store.read(table, columns)) {
    count += rows.length;
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { name: table.name, rows: count, hash: hash.digest("hex") };
};

const sameSums = async (table: MovedTable, columns: readonly string[], from: RawTables, to: RawTables) => {
  const [one, other] = [await sumOf(table, columns, from), await sumOf(table, columns, to)];
  if (one.rows === other.rows && one.hash === other.hash) return other;
  throw new AppError(
    "CONFLICT",
    `The table ${table.name} is not the same in both stores (${one.rows} and ${other.rows} rows): the new one was not empty, or the old one changed meanwhile. Empty the new store and begin again`,
  );
};
