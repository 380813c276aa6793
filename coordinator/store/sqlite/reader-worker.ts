import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { messageOf } from "../../../shared/errors.ts";
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

const answers = db.transaction((questions: readonly ReaderRequest[]) =>
  questions.map(({ sql, params }) => statementOf(sql).all(...params)),
);

parentPort?.on("message", (message: { id: number; questions: readonly ReaderRequest[] } | "close") => {
  if (message === "close") {
    db.close();
    parentPort?.close();
    return;
  }
  const { id, questions } = message;
  try {
    parentPort?.postMessage({ id, found: answers(questions) });
  } catch (problem) {
    parentPort?.postMessage({ id, problem: messageOf(problem) });
  }
});
