import { createLogBuffer, type LogBuffer } from "../../shared/basics/log-buffer.ts";
import { redactText } from "../../shared/credentials/redact.ts";

/** The log of one attempt, bounded: it keeps the beginning, with the first command, and the end. */
export type AttemptLog = Pick<LogBuffer, "append" | "text" | "since"> & {
  /** Adds a line, such as the next command. */
  line(text: string): void;
};

/** `named` replaces paths that tell people nothing. Addresses lose their passwords and what signs them. */
export const createAttemptLog = (named = (text: string): string => text): AttemptLog => {
  const buffer = createLogBuffer();
  const append = (text: string): void => buffer.append(redactText(named(text)));
  return { ...buffer, append, line: (text) => append(`${text}\n`) };
};
