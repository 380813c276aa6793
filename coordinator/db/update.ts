import type Database from "better-sqlite3";

type Value = string | number | null;

/**
 * Updates rows of a table, and names only the columns that are given a value: each that is named costs its checks and its
 * indexes, whether it changes or not. `where` holds a place for each key; `becomes` says what is written where that is not
 * the value as it is. Gives how many rows there were. A statement is kept for every set of columns.
 */
export const createUpdate = <Column extends string>(
  writer: Database.Database,
  table: string,
  where: string,
  becomes: Partial<Record<Column, string>> = {},
) => {
  const statements = new Map<string, Database.Statement>();
  const prepare = (columns: readonly Column[]): Database.Statement => {
    const sets = columns.map((column) => `${column} = ${becomes[column] ?? "?"}`).join(", ");
    return writer.prepare(`UPDATE ${table} SET ${sets} WHERE ${where}`);
  };
  const prepared = (columns: readonly Column[]): Database.Statement => {
    const key = columns.join();
    const statement = statements.get(key) ?? prepare(columns);
    statements.set(key, statement);
    return statement;
  };
  return (values: Partial<Record<Column, Value | undefined>>, ...keys: Value[]): number => {
    const columns = (Object.keys(values) as Column[]).filter((column) => values[column] !== undefined); // keys of `values`
    return prepared(columns).run(...columns.map((column) => values[column]), ...keys).changes;
  };
};
