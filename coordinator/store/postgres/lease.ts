import { type Lease, standbyMs } from "../store.ts";
import type { Database } from "./connection/database.ts";

/** Only the server's clock counts: those of coordinators may differ. */
export const createLease = ({ ask }: Database): Lease => ({
  take: async ({ holder, address, ms }) => {
    const [row] = await ask<{ term: number }>(takeSql, holder, address, ms);
    return row?.term;
  },
  give: async (holder) => {
    await ask("UPDATE lease SET holder = NULL, until = '-infinity' WHERE holder = $1", holder);
  },
  leader: async () => {
    const [row] = await ask<{ address: string; term: number }>(
      "SELECT address, term FROM lease WHERE holder IS NOT NULL AND until > clock_timestamp()",
    );
    return row;
  },
  wait: async ({ holder, address }) => {
    await ask(waitSql, holder, address);
  },
  leave: async (holder) => {
    await ask("DELETE FROM standbys WHERE holder = $1", holder);
  },
  standbys: async () => {
    const rows = await ask<{ address: string }>(
      `SELECT DISTINCT address FROM standbys
       WHERE seen > clock_timestamp() - $1::bigint * interval '1 millisecond' ORDER BY address`,
      standbyMs,
    );
    return rows.map(({ address }) => address);
  },
});

/** Of two who try at the same time, the second one waits for the row, and finds it taken. */
const takeSql = `UPDATE lease
  SET holder = $1, address = $2, until = clock_timestamp() + $3::bigint * interval '1 millisecond',
    term = term + CASE WHEN holder IS NOT DISTINCT FROM $1 THEN 0 ELSE 1 END
  WHERE holder IS NOT DISTINCT FROM $1 OR until < clock_timestamp() RETURNING term`;

/** Those that ended without a word are removed by the others. */
const waitSql = `WITH gone AS (DELETE FROM standbys WHERE seen < clock_timestamp() - interval '1 hour' AND holder <> $1)
  INSERT INTO standbys VALUES ($1, $2, clock_timestamp())
  ON CONFLICT (holder) DO UPDATE SET address = excluded.address, seen = excluded.seen`;
