/** A service as data; each system's file is made of it. */
export type Service = {
  /** `mediafarm` or another name: letters, digits, - and _. */
  readonly name: string;
  readonly title: string;
  /** The program and its arguments; the program is an absolute path. */
  readonly argv: readonly [program: string, ...args: string[]];
  /** Where it is started. */
  readonly folder: string;
  /** For the user who installs it, or for the machine. */
  readonly scope: "user" | "system";
  /** Whom the machine's service runs as. */
  readonly user: string;
  /** What it keeps: the folder that it may write to in any case. */
  readonly dataDir: string;
  /** Further folders that it may write to: those of jobs. */
  readonly writes: readonly string[];
};

/** A file that a system reads services from, and what tells it to. Each command's first word is a program. */
export type ServiceFile = {
  readonly path: string;
  readonly text: string;
  readonly install: readonly (readonly string[])[];
  readonly remove: readonly (readonly string[])[];
  readonly status: readonly string[];
};

/** By this a file is known as one that may be replaced or deleted. */
export const madeBy = "Made by mediafarm service install; mediafarm service remove deletes it.";

export const serviceName = /^[a-z][a-z0-9_-]{0,60}$/i;
