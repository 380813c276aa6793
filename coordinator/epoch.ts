import type { Clock } from "../shared/clock.ts";
import type { Db } from "./db/open.ts";
import type { Stores } from "./db/stores.ts";
import { newId, newSecret, type Vault } from "./secrets.ts";

/**
 * Begins a life of the coordinator. The epoch rises with every start, and beyond that of any start before a restored
 * backup was taken, for it is never below the seconds since 1970. The farm's id and join secret are made once.
 */
export const beginEpoch = (db: Db, { accounts }: Stores, vault: Vault, clock: Clock) =>
  db.commit(() => {
    const epoch = Math.max(Number(accounts.meta("epoch") ?? 0) + 1, Math.floor(clock.now() / 1000));
    accounts.setMeta("epoch", String(epoch));
    const sealed = accounts.meta("join_secret") ?? vault.seal(newSecret());
    accounts.setMeta("join_secret", sealed);
    const farmId = accounts.meta("farm_id") ?? newId();
    accounts.setMeta("farm_id", farmId);
    return { epoch, farmId, joinSecret: vault.open(sealed) };
  });
