import pg from "pg";
import { opened as openText } from "../../cipher.ts";
import type { RawRow } from "../../json.ts";
import type { Address } from "./address.ts";
import { type Ask, beginSql, type Database, type Opens, openColumns, type TransactionKind } from "./database.ts";
import { isOfServer, NotConnected } from "./problems.ts";
import { paramOf, readers } from "./types.ts";

/** A statement that takes longer is given up, together with its connection. */
const usualMs = 60_000;
const connectMs = 10_000;

type PoolSize = {
  readonly most: number;
  readonly longestMs?: number;
  /** How long who asks waits for a connection, while others use all of them or the server does not answer. */
  readonly waitMs?: number;
};

const types = {
  getTypeParser: (oid: number) => readers[oid] ?? ((text: string) => text),
} as unknown as pg.CustomTypesConfig; // all values come as text

/** A few connections to the server. They break and come back; whoever used one at that moment is told. */
export const createPool = (
  address: Address,
  cipher: Opens,
  { most, longestMs = usualMs, waitMs = connectMs }: PoolSize,
): Database => {
  const pool = new pg.Pool({
    ...address,
    types,
    max: most,
    min: 0,
    pipeline: true,
    connectionTimeoutMillis: Math.min(waitMs, longestMs),
    query_timeout: longestMs,
    keepAlive: true,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  } as pg.PoolConfig);
  // Whoever asks next gets another connection; a lost idle one is no error.
  pool.on("error", () => undefined);
  const open = (stored: string) => openText(cipher, stored);

  const connect = async (): Promise<pg.PoolClient> => {
    try {
      return await pool.connect();
    } catch (cause) {
      throw new NotConnected(cause);
    }
  };
  const askOn =
    (query: Query): Ask =>
    async <Row>(sql: string, ...params: readonly unknown[]) => {
      // A script of several statements has several results.
      const { rows, fields } = lastOf(await query(sql, params.map(paramOf)));
      const names = fields.map(({ name }) => name);
      return openColumns(rows, names, open) as Row[]; // what the statement gives is known to whoever wrote it
    };
  /** A connection on which something unforeseen happened is not used again. */
  const withClient = async <T>(use: (query: Query) => Promise<T>): Promise<T> => {
    const client = await connect();
    let why: unknown;
    const noteWhy = (problem: unknown): void => {
      why ??= problem;
    };
    client.on("error", noteWhy);
    const query: Query = (sql, params) =>
      client.query<RawRow>(sql, params).catch((problem) => {
        // Of a connection that broke while nothing was asked, the next question only learns that it cannot be used.
        throw isOfServer(problem) ? problem : (why ?? problem);
      });
    let isSound = false;
    try {
      const found = await use(query);
      isSound = true;
      return found;
    } finally {
      client.off("error", noteWhy);
      client.release(!isSound);
    }
  };

  return {
    ask: (sql, ...params) => withClient((query) => askOn(query)(sql, ...params)),
    transaction: (kind, work) => withClient((query) => transactionOn(query, askOn(query), kind, work)),
    close: () => pool.end(),
  };
};

/** One question on a connection. */
type Query = (sql: string, params?: unknown[]) => Promise<pg.QueryResult<RawRow>>;

const lastOf = (found: pg.QueryResult<RawRow> | pg.QueryResult<RawRow>[]): pg.QueryResult<RawRow> =>
  (Array.isArray(found) ? found.at(-1) : found) as pg.QueryResult<RawRow>; // there is always one

const ignore = (): void => undefined;

/** A connection that is dropped after an error undoes its transaction. */
const transactionOn = async <T>(
  query: Query,
  ask: Ask,
  kind: TransactionKind,
  work: (ask: Ask) => Promise<T>,
): Promise<T> => {
  const begun = query(beginSql[kind]);
  begun.catch(ignore); // the work fails as well
  const found = await work(ask);
  await query("COMMIT");
  return found;
};
