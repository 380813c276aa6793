export type AttemptLog = {
  /** A line of its own, such as the command that comes next. */
  line(text: string): void;
  /** What a program says, as it comes. */
  append(text: string): void;
  text(): string;
};

const headLimit = 16_000;
const tailLimit = 240_000;

/** The log of one attempt, bounded: its beginning with the first command, and its end. */
export const createAttemptLog = (): AttemptLog => {
  let head = "";
  let tail = "";
  let dropped = 0;
  const append = (text: string): void => {
    const room = tail === "" && dropped === 0 ? headLimit - head.length : 0;
    head += text.slice(0, room);
    const all = tail + text.slice(room);
    dropped += Math.max(0, all.length - tailLimit);
    tail = all.slice(-tailLimit);
  };
  return {
    append,
    line: (text) => append(`${text}\n`),
    text: () => (dropped === 0 ? head + tail : `${head}\n… ${dropped} characters left out …\n${tail}`),
  };
};

/** A command as people read it; it never reaches a shell. */
export const showCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
