import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { giveWay } from "../../give-way.ts";
import { createCipher } from "../cipher.ts";
import { type Query, shapedReads } from "./jobs/shaped-reads.ts";
import { openSecrets } from "./open-secrets.ts";
import { checkpointRequest, goOn, type Part, problemOf, type ReaderRequest, type Reply } from "./reader.ts";

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

const answer = db.transaction((request: Exclude<ReaderRequest, typeof checkpointRequest>): unknown => {
  if (!("name" in request)) return request.map(({ sql, params }) => statementOf(sql).all(...params));
  const read: (query: Query, ...args: never[]) => unknown = shapedReads[request.name];
  return read(query, ...(request.args as never[])); // `Reader` has checked them
});

/** Rows of one message: whoever takes it reads all of it in one turn of its loop. */
const rowsAtOnce = 200;

/** A long answer in parts, each a few rows of one of its lists, in order; undefined for what is small, or no list. */
const partsOf = (found: unknown): Part[] | undefined => {
  if (!Array.isArray(found)) return undefined;
  const isOne = !found.every(Array.isArray);
  const lists: unknown[][] = isOne ? [found] : found;
  if (lists.reduce((sum, { length }) => sum + length, 0) <= rowsAtOnce) return undefined;
  return lists.flatMap((rows, list) =>
    Array.from({ length: Math.max(1, Math.ceil(rows.length / rowsAtOnce)) }, (_, nr) => ({
      ...{ list, isOne, rows: rows.slice(nr * rowsAtOnce, (nr + 1) * rowsAtOnce) },
    })),
  );
};

/** Parts that were not asked for yet. */
const unsent = new Map<number, Part[]>();

const sendPart = (id: number, more: Pick<Reply, "took"> = {}): void => {
  const parts = unsent.get(id) ?? [];
  const part = parts.shift();
  if (parts.length === 0) unsent.delete(id);
  parentPort?.postMessage({ id, part, isMore: parts.length > 0, ...more } satisfies Reply);
};

const usedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Writes nothing of its own. */
let copier: Database.Database | undefined;

const copyLog = (): void => {
  if (!copier) {
    copier = new Database(workerData.file);
    copier.pragma("synchronous = FULL");
  }
  copier.pragma("wal_checkpoint(PASSIVE)");
};

const reply = (id: number, request: ReaderRequest): void => {
  const begun = usedMs();
  try {
    if (request === checkpointRequest) copyLog();
    const found = request === checkpointRequest ? undefined : answer(request);
    const parts = partsOf(found);
    const took = usedMs() - begun;
    if (parts) {
      unsent.set(id, parts);
      sendPart(id, { took });
    } else parentPort?.postMessage({ id, found, took } satisfies Reply);
  } catch (problem) {
    parentPort?.postMessage({ id, problem: problemOf(problem) } satisfies Reply);
  }
};

type Message = { readonly id: number; readonly request?: ReaderRequest } | "close" | typeof goOn;
type Asked = { readonly id: number; readonly request: ReaderRequest };

/** What was asked and not begun yet. */
const reads: Asked[] = [];
const checkpoints: Asked[] = [];
/** After a checkpoint, until the loop has ended it. */
let isHeld = false;
let isClosing = false;

const close = (): void => {
  for (const each of [copier, db]) each?.close();
  parentPort?.close();
};

const arrive = (message: Message): void => {
  if (message === "close") isClosing = true;
  else if (message === goOn) isHeld = false;
  else if (message.request === undefined) sendPart(message.id);
  else (message.request === checkpointRequest ? checkpoints : reads).push({ id: message.id, request: message.request });
};

/** What came meanwhile, without waiting for anything. */
const arriveAll = (port: MessagePort): void => {
  for (let came = receiveMessageOnPort(port); came; came = receiveMessageOnPort(port)) arrive(came.message);
};

/** A checkpoint goes before all reads that wait: the log grows, and who commits pays for a long one. */
const work = (port: MessagePort): void => {
  for (;;) {
    arriveAll(port);
    const next = isHeld ? undefined : (checkpoints.shift() ?? reads.shift());
    if (!next) break;
    isHeld = next.request === checkpointRequest;
    reply(next.id, next.request);
  }
  if (isClosing) close();
};

parentPort?.on("message", (message: Message) => {
  arrive(message);
  if (parentPort) work(parentPort);
});
