/**
 * A command that a POSIX shell takes as exactly these words. Control characters and marks that reorder text stand as escapes,
 * so that what is pasted is what is seen, and no terminal takes them for keys.
 */
export const shellCommand = (words: readonly string[]): string => words.map(shellWord).join(" ");

export const shellWord = (word: string): string => {
  if (/^[\w./:=,@%+-]+$/.test(word)) return word;
  const quoted = word.replaceAll("'", "'\\''");
  return `'${quoted.replaceAll(unseen, (mark) => `'"$(printf '${octal(mark)}')"'`)}'`;
};

/** A word for PowerShell. Its single quotes, of which it knows five, are doubled. */
export const powerShellWord = (word: string): string =>
  /^[\w./:\\-]+$/.test(word) ? word : `'${word.replaceAll(/['\u2018-\u201b]/g, "$&$&").replaceAll(unseen, "")}'`;

/** Not the line's end, which a shell takes within quotes, and which `$(…)` would drop. */
const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const octal = (mark: string): string =>
  [...new TextEncoder().encode(mark)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
