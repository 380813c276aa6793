/** The words of a text: a long list of names that is easier to read as lines. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);
