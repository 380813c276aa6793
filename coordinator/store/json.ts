/** A row as an engine gives it. */
export type RawRow = Record<string, unknown>;

/** The value of a JSON column; the caller knows its type. NULL is undefined. */
export const parsed = <T>(text: unknown): T | undefined =>
  text === null || text === undefined ? undefined : JSON.parse(String(text));

/** The row itself, with these columns read as JSON; the caller knows what its statement gives. */
export const readJson = <Row extends object>(raw: RawRow, ...columns: readonly (keyof Row & string)[]): Row => {
  for (const column of columns) raw[column] = parsed(raw[column]);
  return raw as Row;
};
