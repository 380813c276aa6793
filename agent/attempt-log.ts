import { createLogBuffer, type LogBuffer } from "../shared/log-buffer.ts";

/** The log of one attempt, bounded: its beginning with the first command, and its end. */
export type AttemptLog = Pick<LogBuffer, "append" | "text" | "since"> & {
  /** A line of its own, such as the command that comes next. */
  line(text: string): void;
};

export const createAttemptLog = (): AttemptLog => {
  const buffer = createLogBuffer();
  return { ...buffer, line: (text) => buffer.append(`${text}\n`) };
};

/** A command as people read it; it never reaches a shell. */
export const showCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
