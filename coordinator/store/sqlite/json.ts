/** What a column of JSON is given: its text, or nothing where there is nothing to write. */
export const json = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));

/** What a column of JSON holds; whoever asks knows what was written there. */
export const parsed = (text: string | null) => (text === null ? undefined : JSON.parse(text));
