import { hash } from "node:crypto";
import Database from "better-sqlite3";
import { databaseOf } from "../migrate.ts";
import { schemaHashes } from "./schema-hashes.ts";

/** A table or an index by its kind and name, and the statement that makes it. */
type Made = readonly [name: string, sql: string];

/** What SQLite itself may add to any database. */
const statistics: readonly Made[] = [
  ["table sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"],
  ["table sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"],
];

/**
 * What is wrong where a database's tables and indexes are not as the migrations make them for its version, with `more`
 * tables. A check, a default, or the condition of an index is code that SQLite runs for row after row; and without the checks there
 * may be rows that no farm has. An index of columns alone is no such code: somebody may have added it to the farm by hand.
 */
export const schemaProblem = (db: Database.Database, version: number, more: string): string | undefined => {
  if (hashOfSchema(db, more) === schemaHashes[version]) return undefined;
  const others = `its tables and indexes are not those of a farm of version ${version}`;
  const known = databaseOf(version);
  if (!known) return others;
  try {
    const [found, wanted] = [ownOf(db, more), ownOf(known, more)].map((all) => new Map(all));
    const changed = [...(wanted ?? [])].find(([name, sql]) => found?.get(name) !== sql);
    const added = [...(found ?? [])].find(([name, sql]) => !wanted?.has(name) && !plainIndex.test(sql));
    const [first] = changed ?? added ?? [];
    return first === undefined ? undefined : `${others}: the first that differs is ${JSON.stringify(first)}`;
  } finally {
    known.close();
  }
};

const plainIndex = /^CREATE INDEX \w+ ON \w+ ?\( ?\w+(?: ?, ?\w+)* ?\)$/i;

/** Names all tables and indexes, and how they are made, but those of `more` and SQLite's own statistics. */
export const hashOfSchema = (db: Database.Database, more = ""): string =>
  hash("sha256", JSON.stringify(ownOf(db, more).sort()));

const ownOf = (db: Database.Database, more: string): Made[] => {
  const others = new Map([...statistics, ...madeBy(more)]);
  return madeIn(db).filter(([name, sql]) => others.get(name) !== sql);
};

const madeBy = (script: string): Made[] => {
  const db = new Database(":memory:");
  try {
    db.exec(script);
    return madeIn(db);
  } finally {
    db.close();
  }
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
