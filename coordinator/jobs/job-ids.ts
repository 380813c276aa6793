/** The ids among these texts: ids are decimal numbers. */
export const idsIn = (texts: readonly string[]): number[] =>
  texts.filter((text) => /^\d{1,15}$/.test(text)).map(Number);
