import Database from "better-sqlite3";
import { AppError } from "../../../shared/errors.ts";

/** Makes a function one transaction: done as a whole and durable when the promise resolves, or not at all. */
export const createOperation =
  (writer: Database.Database) =>
  <Args extends unknown[], Result>(run: (...args: Args) => Result) => {
    const transaction = writer.transaction(run);
    return async (...args: Args): Promise<Result> => {
      try {
        return transaction.immediate(...args);
      } catch (problem) {
        throw asAnswer(problem);
      }
    };
  };

/** Disk errors are reported as they are: nothing was stored, and the caller may retry. */
const asAnswer = (problem: unknown): unknown => {
  const code = problem instanceof Database.SqliteError ? problem.code : "";
  if (code !== "SQLITE_FULL" && !code.startsWith("SQLITE_IOERR")) return problem;
  const why = code === "SQLITE_FULL" ? "is full" : `fails (${code})`;
  return new AppError("UNAVAILABLE", `The coordinator's disk ${why}: nothing can be stored`, { cause: problem });
};
