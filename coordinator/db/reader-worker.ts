import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { messageOf } from "../../shared/errors.ts";
import type { ReaderRequest } from "./reader.ts";

const db = new Database(workerData.file, { readonly: true });
const statements = new Map<string, Database.Statement>();

const statementOf = (sql: string): Database.Statement => {
  const known = statements.get(sql);
  if (known) return known;
  if (statements.size > 500) statements.clear();
  const made = db.prepare(sql);
  statements.set(sql, made);
  return made;
};

parentPort?.on("message", (message: { id: number; request: ReaderRequest } | "close") => {
  if (message === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const { id, request } = message;
  try {
    parentPort?.postMessage({ id, found: statementOf(request.sql).all(...request.params) });
  } catch (problem) {
    parentPort?.postMessage({ id, problem: messageOf(problem) });
  }
});
