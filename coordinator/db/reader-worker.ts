import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { messageOf } from "../../shared/errors.ts";

type Request = { readonly id: number; readonly sql: string; readonly params: unknown[] };

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

parentPort?.on("message", (message: Request | "close") => {
  if (message === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const { id, sql, params } = message;
  try {
    parentPort?.postMessage({ id, rows: statementOf(sql).all(...params) });
  } catch (problem) {
    parentPort?.postMessage({ id, problem: messageOf(problem) });
  }
});
