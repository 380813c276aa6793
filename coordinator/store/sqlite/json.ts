/** The value of a JSON column; the caller knows its type. */
export const parsed = (text: string | null) => (text === null ? undefined : JSON.parse(text));
