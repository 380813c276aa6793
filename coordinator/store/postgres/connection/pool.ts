import pg from "pg";
import { opened as openText } from "../../cipher.ts";
import type { RawRow } from "../../json.ts";
import type { Address } from "./address.ts";
import { type Ask, beginSql, type Database, type Opens, openColumns, type TransactionKind } from "./database.ts";
import { NotConnected } from "./problems.ts";
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
    (client: pg.PoolClient): Ask =>
    async <Row>(sql: string, ...params: readonly unknown[]) => {
      // A script of several statements has several results.
      const { rows, fields } = lastOf(await client.query<RawRow>(sql, params.map(paramOf)));
      const names = fields.map(({ name }) => name);
      return openColumns(rows, names, open) as Row[]; // what the statement gives is known to whoever wrote it
    };
  /** A connection on which something unforeseen happened is not used again. */
  const withClient = async <T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect();
    client.on("error", ignore);
    let isSound = false;
    try {
      const found = await use(client);
      isSound = true;
      return found;
    } finally {
      client.off("error", ignore);
      client.release(!isSound);
    }
  };

  return {
    ask: (sql, ...params) => withClient((client) => askOn(client)(sql, ...params)),
    transaction: (kind, work) => withClient((client) => transactionOn(client, askOn(client), kind, work)),
    close: () => pool.end(),
  };
};

const lastOf = (found: pg.QueryResult<RawRow> | pg.QueryResult<RawRow>[]): pg.QueryResult<RawRow> =>
  (Array.isArray(found) ? found.at(-1) : found) as pg.QueryResult<RawRow>; // there is always one

const ignore = (): void => undefined;

/** A connection that is dropped after an error undoes its transaction. */
const transactionOn = async <T>(
  client: pg.PoolClient,
  ask: Ask,
  kind: TransactionKind,
  work: (ask: Ask) => Promise<T>,
): Promise<T> => {
  const begun = client.query(beginSql[kind]);
  begun.catch(ignore); // the work fails as well
  const found = await work(ask);
  await client.query("COMMIT");
  return found;
};
