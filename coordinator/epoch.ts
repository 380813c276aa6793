import type { Clock } from "../shared/clock.ts";
import type { Db } from "./db/open.ts";
import type { Stores } from "./db/stores.ts";

/**
 * Begins a life of the coordinator. The epoch rises with every start, and beyond that of any start before a restored
 * backup was taken, for it is never below the seconds since 1970.
 */
export const beginEpoch = (db: Db, { accounts }: Stores, clock: Clock): Promise<number> =>
  db.commit(() => {
    const epoch = Math.max(Number(accounts.meta("epoch") ?? 0) + 1, Math.floor(clock.now() / 1000));
    accounts.setMeta("epoch", String(epoch));
    return epoch;
  });
