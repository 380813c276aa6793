import type { Cipher } from "../../cipher.ts";
import type { RawRow } from "../../json.ts";
import { asAnswer } from "./problems.ts";

/**
 * One statement with its parameters `$1`, `$2`, …; gives its rows. Texts come back as they were given, JSON as text, other
 * numbers as numbers. A column whose alias is made by `opened` comes back decrypted, under its own name.
 */
export type Ask = <Row = RawRow>(sql: string, ...params: readonly unknown[]) => Promise<Row[]>;

/**
 * read: all statements see one moment, and write nothing · write: each statement sees what is committed before it. Whatever
 * is asked before the first answer goes to the server in one go.
 */
export type TransactionKind = "read" | "write";

/**
 * The way to the server. Each statement may run on another connection, so nothing may depend on the state of a session: a
 * pooler between here and the server gives a connection away after each transaction.
 */
export type Database = {
  readonly ask: Ask;
  readonly transaction: <T>(kind: TransactionKind, work: (ask: Ask) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
};

/**
 * A coordinator that sleeps within a transaction keeps its locks, and the next leader waits for them: the server ends such a
 * connection after a time. The setting is the transaction's own, as a pooler gives the connection to others afterwards.
 */
export const beginSql: Readonly<Record<TransactionKind, string>> = {
  read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
  write: "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = '5s'",
};

/** The same database; what goes wrong with the server becomes an answer. Batches need to know more of it. */
export const answering = ({ ask, transaction, close }: Database): Database => ({
  ask: (sql, ...params) => ask<never>(sql, ...params).catch(refuse),
  transaction: (kind, work) => transaction(kind, work).catch(refuse),
  close,
});

const refuse = (problem: unknown): never => {
  throw asAnswer(problem);
};

/** A column that may be sealed, for a list of columns. */
export const opened = (column: string, name = column): string => `${column} AS "${mark}${name}"`;

const mark = "opened ";

/** Decrypts the columns that a statement named with `opened`. */
export const openColumns = (rows: readonly RawRow[], names: readonly string[], open: Open): RawRow[] => {
  const sealedNames = names.filter((name) => name.startsWith(mark));
  if (sealedNames.length > 0) for (const row of rows) openRow(row, sealedNames, open);
  return rows as RawRow[]; // changed in place
};

type Open = (stored: string) => string;

const openRow = (row: RawRow, names: readonly string[], open: Open): void => {
  for (const name of names) {
    const stored = row[name];
    delete row[name];
    row[name.slice(mark.length)] = typeof stored === "string" ? open(stored) : stored;
  }
};

export type Opens = Pick<Cipher, "open">;
