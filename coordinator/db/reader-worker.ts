import { parentPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { messageOf } from "../../shared/errors.ts";
import { scanMarks } from "./mark-scan.ts";
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

/** One walk at a time, on a connection of its own: its view of the database lasts while other questions are answered. */
let walks: Promise<unknown> = Promise.resolve();
let isClosing = false;

const walk = (field: Parameters<typeof scanMarks>[1]) => {
  const run = async () => {
    const own = new Database(workerData.file, { readonly: true });
    try {
      return await scanMarks(own, field, pause);
    } finally {
      own.close();
    }
  };
  const found = walks.then(run);
  walks = found.catch(() => {}); // who asked is told
  return found;
};

const pause = () =>
  new Promise<void>((resolve, reject) => {
    setImmediate(() => (isClosing ? reject(new Error("The reader is closing")) : resolve()));
  });

const answer = async (request: ReaderRequest): Promise<unknown> =>
  "marksOf" in request ? walk(request.marksOf) : statementOf(request.sql).all(...request.params);

parentPort?.on("message", async (message: { id: number; request: ReaderRequest } | "close") => {
  if (message === "close") {
    isClosing = true;
    await walks;
    db.close();
    parentPort?.close();
    return;
  }
  const { id, request } = message;
  try {
    parentPort?.postMessage({ id, found: await answer(request) });
  } catch (problem) {
    parentPort?.postMessage({ id, problem: messageOf(problem) });
  }
});
