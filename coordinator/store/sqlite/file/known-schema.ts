import { hash } from "node:crypto";
import Database from "better-sqlite3";
import { createTables, firstVersion } from "../migrate.ts";
import { schemaOf29 } from "../upgrade-29.ts";

/** A table or an index by its kind and name, and the statement that makes it. */
type Made = readonly [name: string, sql: string];

/** What SQLite itself may add to any database. */
const statistics: readonly Made[] = [
  ["table sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"],
  ["table sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"],
];

/**
 * What of a database's tables and indexes is not as the migrations make them for its version, with `more` tables. A check,
 * a default, or the condition of an index is code that SQLite runs for row after row; and without the checks there may be
 * rows that no farm has.
 */
export const schemaProblem = (db: Database.Database, version: number, more: string): string | undefined => {
  const found = madeIn(db);
  const fresh = new Database(":memory:");
  try {
    createTables(fresh, version);
    fresh.exec(more);
    const known = new Map(madeIn(fresh));
    return version < firstVersion ? problemOf29(found, known) : problemIn(found, known, version);
  } finally {
    fresh.close();
  }
};

const problemIn = (found: readonly Made[], known: ReadonlyMap<string, string>, version: number): string | undefined => {
  const all = new Map([...statistics, ...known]);
  const other = found.find(([name, sql]) => all.get(name) !== sql);
  if (other) return `its ${other[0]} is not as a farm of version ${version} has it`;
  const names = new Set(found.map(([name]) => name));
  const missing = [...known.keys()].find((name) => !names.has(name));
  return missing === undefined ? undefined : `its ${missing} is missing`;
};

/** Goes with `upgrade-29.ts`: no script makes the tables of that version. */
const problemOf29 = (found: readonly Made[], more: ReadonlyMap<string, string>): string | undefined => {
  const others = new Map([...statistics, ...more]);
  const own = found.filter(([name, sql]) => others.get(name) !== sql);
  return hash("sha256", JSON.stringify(own.sort())) === schemaOf29
    ? undefined
    : "its tables are not those of a farm of version 29";
};

const madeIn = (db: Database.Database): Made[] =>
  db
    .prepare<[], { name: string; sql: string }>(
      "SELECT type || ' ' || name || iif(type = 'index', ' of ' || tbl_name, '') AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL",
    )
    .all()
    .map(({ name, sql }) => [name, withoutRemarks(String(sql))]);

/**
 * Remarks and spaces between words mean nothing. Texts stay as they are, and so does what SQLite reads otherwise than this:
 * it is found to be different.
 */
const withoutRemarks = (sql: string): string =>
  sql.replaceAll(/'(?:[^']|'')*'|(?:--[^\n\0]*|[ \t\n\f\r])+/g, (part) => (part.startsWith("'") ? part : " "));
