import { AppError } from "../../../../shared/basics/errors.ts";

/** What SQLite says of the disk or the file and of no statement, by the beginning of its code; in words. */
const troubles: readonly (readonly [code: string, words: (code: string) => string])[] = [
  ["SQLITE_FULL", () => "The coordinator's disk is full"],
  ["SQLITE_IOERR", (code) => `The coordinator's disk fails (${code})`],
  ["SQLITE_READONLY", (code) => `The coordinator's disk or database is read-only (${code})`],
  ["SQLITE_CANTOPEN", (code) => `The coordinator's database cannot be opened (${code})`],
  ["SQLITE_BUSY", (code) => `Another program has locked the coordinator's database (${code})`],
  ["SQLITE_CORRUPT", (code) => `The coordinator's database is damaged (${code}): a backup should be restored`],
  ["SQLITE_NOTADB", (code) => `The coordinator's file is not a database (${code}): a backup should be restored`],
];

const outcomes = { stored: "nothing can be stored", read: "what was asked for cannot be read" } as const;

/** What is wrong with the disk, in words; undefined for other problems. `wanted` failed because of it. */
export const diskProblemOf = (problem: unknown, wanted: keyof typeof outcomes): string | undefined => {
  const code = codeOf(problem);
  const found = troubles.find(([beginning]) => code.startsWith(beginning));
  if (!found) return undefined;
  const words = found[1](code);
  return `${words}${words.includes(": ") ? ";" : ":"} ${outcomes[wanted]}`;
};

/** Some pages are no longer what was written; others may be, so that only what needs these fails. */
export const isDamage = (problem: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(problem));

/** Disk errors are told as they are: nothing was done, and the caller may try again. Other problems stay as they are. */
export const asAnswer = (problem: unknown, wanted: keyof typeof outcomes): unknown => {
  const message = diskProblemOf(problem, wanted);
  return message === undefined ? problem : new AppError("UNAVAILABLE", message, { cause: problem });
};

/** Of SQLite's errors, also those that came from another thread. */
const codeOf = (problem: unknown): string =>
  problem instanceof Error && "code" in problem && typeof problem.code === "string" ? problem.code : "";
