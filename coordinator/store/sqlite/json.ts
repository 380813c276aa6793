/** The value of a JSON column; the caller knows its type. */
export const parsed = (text: string | null | undefined) =>
  text === null || text === undefined ? undefined : JSON.parse(text);
