import type { Ask } from "../connection/database.ts";

/** Rows that are read at a time: their JSON is parsed between two answers, so the event loop is never held for long. */
const rowsAtOnce = 200;

/** Which of all rows are read. */
type Cut = { readonly skip?: number; readonly most?: number };

/**
 * All rows of a statement that ends with a condition, in the order of a column of whole numbers, from which the next page
 * is found. Within one transaction they show one moment.
 */
export async function* rowsInPages<Row>(
  ask: Ask,
  sql: string,
  column: string,
  params: readonly unknown[],
  { skip = 0, most = Number.POSITIVE_INFINITY }: Cut = {},
): AsyncGenerator<Row> {
  const key = column.split(".").at(-1) ?? column;
  const ordered = `${sql} AND ${column} > $${params.length + 1} ORDER BY ${column}`;
  for (let [last, left, over] = [-1, most, skip]; left > 0; ) {
    const limit = Math.min(left, rowsAtOnce);
    const rows = await ask<Row>(`${ordered} LIMIT ${limit} OFFSET ${over}`, ...params, last);
    yield* rows;
    if (rows.length < limit) return;
    [left, over] = [left - rows.length, 0];
    last = Number((rows.at(-1) as Readonly<Record<string, unknown>>)[key]); // the statement gives the column
  }
}
