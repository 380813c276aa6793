/** What a column of JSON holds; whoever asks knows what was written there. */
export const parsed = (text: string | null) => (text === null ? undefined : JSON.parse(text));
