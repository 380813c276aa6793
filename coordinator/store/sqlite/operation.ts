import Database from "better-sqlite3";
import { AppError } from "../../../shared/basics/errors.ts";

/** Makes a function one transaction: done as a whole and durable when the promise resolves, or not at all. */
export const createOperation =
  (writer: Database.Database) =>
  <Args extends unknown[], Result>(run: (...args: Args) => Result) => {
    const transact = transactionOf(writer, run);
    return async (...args: Args): Promise<Result> => transact(...args);
  };

/**
 * Like an operation, but the disk is not waited for: a crash of the program undoes nothing, a power cut may undo what no
 * operation has followed. For what is easily done again, such as a login.
 */
export const createSwiftOperation =
  (writer: Database.Database) =>
  <Args extends unknown[], Result>(run: (...args: Args) => Result) => {
    const transact = transactionOf(writer, run);
    return async (...args: Args): Promise<Result> => {
      writer.pragma("synchronous = NORMAL");
      try {
        return transact(...args);
      } finally {
        writer.pragma("synchronous = FULL");
      }
    };
  };

const transactionOf = <Args extends unknown[], Result>(writer: Database.Database, run: (...args: Args) => Result) => {
  const transaction = writer.transaction(run);
  return (...args: Args): Result => {
    try {
      return transaction.immediate(...args);
    } catch (problem) {
      throw asAnswer(problem);
    }
  };
};

/** Disk errors are reported as they are: nothing was stored, and the caller may retry. */
const asAnswer = (problem: unknown): unknown => {
  const message = diskProblemOf(problem);
  return message === undefined ? problem : new AppError("UNAVAILABLE", message, { cause: problem });
};

/** What is wrong with the disk, in words; undefined for other problems. */
export const diskProblemOf = (problem: unknown): string | undefined => {
  const code = problem instanceof Database.SqliteError ? problem.code : "";
  if (code === "SQLITE_FULL") return "The coordinator's disk is full: nothing can be stored";
  return code.startsWith("SQLITE_IOERR") ? `The coordinator's disk fails (${code}): nothing can be stored` : undefined;
};
