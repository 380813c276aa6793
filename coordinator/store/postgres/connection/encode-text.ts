/**
 * PostgreSQL's texts hold every character but U+0000. It is stored as two signs, and so is U+0001, which begins them: the
 * order of texts by their bytes stays the same. A lone surrogate becomes U+FFFD, as everywhere where a text becomes UTF-8.
 */
export const encodeText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return hasEscaped(whole) ? whole.replaceAll("\u0001", "\u0001\u0002").replaceAll("\u0000", "\u0001\u0001") : whole;
};

export const decodeText = (stored: string): string =>
  // Two signs at a time: the second sign of a pair may look like the first one of another.
  stored.includes("\u0001") ? stored.replaceAll(pair, (_, sign) => (sign === "\u0001" ? "\u0000" : "\u0001")) : stored;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const pair = /\u0001([\u0001\u0002])/g;

const hasEscaped = (text: string): boolean => text.includes("\u0000") || text.includes("\u0001");
