import type { Ask } from "../connection/database.ts";

/** Rows that are read at a time: their JSON is parsed between two answers, so the event loop is never held for long. */
const rowsAtOnce = 200;

/**
 * All rows of a statement that ends with a condition, in the order of a column of whole numbers, from which the next page
 * is found. Within one transaction they show one moment.
 */
export async function* rowsInPages<Row>(
  ask: Ask,
  sql: string,
  column: string,
  params: readonly unknown[],
): AsyncGenerator<Row> {
  const key = column.split(".").at(-1) ?? column;
  const at = params.length + 1;
  const page = `${sql} AND ${column} > $${at} ORDER BY ${column} LIMIT ${rowsAtOnce}`;
  for (let last = -1; ; ) {
    const rows = await ask<Row>(page, ...params, last);
    yield* rows;
    if (rows.length < rowsAtOnce) return;
    last = Number((rows.at(-1) as Readonly<Record<string, unknown>>)[key]); // the statement gives the column
  }
}
