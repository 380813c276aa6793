import { PGlite } from "@electric-sql/pglite";
import { opened } from "../../../coordinator/store/cipher.ts";
import type { RawRow } from "../../../coordinator/store/json.ts";
import type { Database } from "../../../coordinator/store/postgres/connection/database.ts";
import {
  type Ask,
  beginSql,
  type Opens,
  openColumns,
} from "../../../coordinator/store/postgres/connection/database.ts";
import { paramOf, readers } from "../../../coordinator/store/postgres/connection/types.ts";

/** PostgreSQL compiled to WebAssembly: one connection, in memory, without a server. */
export const openPglite = async (cipher: Opens): Promise<Database> => {
  const db = await PGlite.create({ parsers: readers as Record<number, (text: string) => unknown> });
  const open = (stored: string) => opened(cipher, stored);
  const askDirectly: Ask = async <Row>(sql: string, ...params: readonly unknown[]) => {
    if (params.length === 0 && sql.includes(";")) {
      await db.exec(sql);
      return [];
    }
    const { rows, fields } = await db.query<RawRow>(sql, params.map(paramOf));
    return openColumns(
      rows,
      fields.map(({ name }) => name),
      open,
    ) as Row[];
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    ask: (sql, ...params) => inTurn(() => askDirectly(sql, ...params)),
    transaction: (kind, work) =>
      inTurn(async () => {
        await askDirectly(beginSql[kind]);
        try {
          const found = await work(askDirectly);
          await askDirectly("COMMIT");
          return found;
        } catch (problem) {
          await askDirectly("ROLLBACK");
          throw problem;
        }
      }),
    close: () => db.close(),
  };
};
