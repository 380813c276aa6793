import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { messageOf } from "../../../shared/basics/errors.ts";
import { giveWay } from "../../give-way.ts";
import { createCipher } from "../cipher.ts";
import { type Query, shapedReads } from "./jobs/shaped-reads.ts";
import { openSecrets } from "./open-secrets.ts";
import type { ReaderRequest } from "./reader.ts";

giveWay();
const db = new Database(workerData.file, { readonly: true });
openSecrets(db, createCipher(Buffer.from(workerData.key)));
const statements = new Map<string, Database.Statement>();

const statementOf = (sql: string): Database.Statement => {
  const known = statements.get(sql);
  if (known) return known;
  if (statements.size > 500) statements.clear();
  const made = db.prepare(sql);
  statements.set(sql, made);
  return made;
};

/** The caller knows the types of its rows. */
const query: Query = <Row>(sql: string, ...params: readonly unknown[]) =>
  statementOf(sql).iterate(...params) as IterableIterator<Row>;

const answer = db.transaction((request: ReaderRequest): unknown => {
  if (!("name" in request)) return request.map(({ sql, params }) => statementOf(sql).all(...params));
  const read: (query: Query, ...args: never[]) => unknown = shapedReads[request.name];
  return read(query, ...(request.args as never[])); // `Reader` has checked them
});

parentPort?.on("message", (message: { id: number; request: ReaderRequest } | "close") => {
  if (message === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const { id, request } = message;
  try {
    parentPort?.postMessage({ id, found: answer(request) });
  } catch (problem) {
    parentPort?.postMessage({ id, problem: messageOf(problem) });
  }
});
