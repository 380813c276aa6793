import type Database from "better-sqlite3";
import { asAnswer } from "./file/disk-problems.ts";

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
      throw asAnswer(problem, "stored");
    }
  };
};
