import type { Lease } from "../store.ts";
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
});

/** Of two who try at the same time, the second one waits for the row, and finds it taken. */
const takeSql = `UPDATE lease
  SET holder = $1, address = $2, until = clock_timestamp() + $3::bigint * interval '1 millisecond',
    term = term + CASE WHEN holder IS NOT DISTINCT FROM $1 THEN 0 ELSE 1 END
  WHERE holder IS NOT DISTINCT FROM $1 OR until < clock_timestamp() RETURNING term`;
