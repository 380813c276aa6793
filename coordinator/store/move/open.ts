import { join } from "node:path";
import type { Clock } from "../../../shared/basics/clock.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { createCipher } from "../cipher.ts";
import { readAddress } from "../postgres/connection/address.ts";
import { createPool } from "../postgres/connection/pool.ts";
import { postgresTables } from "../postgres/moved-tables.ts";
import { openPostgres } from "../postgres/open.ts";
import { sqliteTables } from "../sqlite/moved-tables.ts";
import { openSqlite } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { keptLines, type NewTrailLine } from "../trail.ts";
import { movingAddress, movingMark, type RawTables } from "./tables.ts";

/** A store that stands still: no coordinator can use it until it is closed. */
export type StillStore = {
  readonly store: Pick<Store, "records" | "leading" | "trail">;
  readonly tables: RawTables;
  /** Throws AppError if a coordinator could use it meanwhile after all. */
  readonly check: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type Place = {
  /** `postgres://…`, or a coordinator's data folder. */
  readonly at: string;
  readonly password?: Secret | undefined;
};

/** Who moves, by a name that no other process has; and what tells it when to prolong its lease. */
export type Mover = { readonly holder: string; readonly clock: Pick<Clock, "every"> };

/** While the farm is moved, its coordinators stand still for this long at most after the mover died. */
const leaseMs = 60_000;

/** `key` encrypts secrets in both stores: what is sealed is moved as it is. */
export const openStill = (place: Place, key: Buffer, mover: Mover): Promise<StillStore> =>
  isPostgres(place.at) ? openStillPostgres(place, key, mover) : openStillSqlite(place.at, key);

export const isPostgres = (at: string): boolean => /^postgres(ql)?:/.test(at);

const openStillSqlite = async (folder: string, key: Buffer): Promise<StillStore> => {
  const store = openSqlite(folder, new Secret(key.toString("base64")));
  const tables = sqliteTables(join(folder, "farm.db"));
  const close = async () => {
    await tables.close();
    await store.close();
  };
  return { store, tables, check: async () => undefined, close };
};

const openStillPostgres = async (
  { at, password }: Place,
  key: Buffer,
  { holder, clock }: Mover,
): Promise<StillStore> => {
  const store = await openPostgres(at, key, password);
  // Nothing is opened on the way: these columns move as they are stored.
  const tables = postgresTables(createPool(readAddress(at, password), createCipher(key), { most: 2 }));
  const take = () => store.lease?.take({ holder, address: movingAddress, ms: leaseMs });
  const closeBoth = async () => {
    await tables.close();
    await store.close();
  };
  const term = await take();
  const inUse = await useOf(store, term);
  if (inUse !== undefined) {
    if (term !== undefined) await store.lease?.give(holder);
    await closeBoth();
    throw new AppError("CONFLICT", inUse);
  }
  const check = async () => {
    // Another term: the lease had ended, as of a machine that slept, and somebody else led.
    if ((await take()) !== term)
      throw new AppError(
        "CONFLICT",
        "A coordinator used this database while the farm was moved: stop all coordinators, empty the new store and begin again",
      );
  };
  const stop = clock.every(leaseMs / 4, () => void take()?.catch(() => undefined));
  const close = async () => {
    stop();
    await store.lease?.give(holder);
    await closeBoth();
  };
  return { store, tables, check, close };
};

/** Who else uses a database, in words. One that stands by would lead the old farm as soon as it has moved. */
const useOf = async ({ lease }: Pick<Store, "lease">, term: number | undefined): Promise<string | undefined> => {
  const leader = term === undefined ? await lease?.leader() : undefined;
  if (leader?.address === movingAddress)
    return "Another mediafarm move-store uses this database, or one that was killed did: try again in a minute";
  if (term === undefined)
    return `A coordinator uses this database (${leader?.address ?? "it has just ended"}): stop all coordinators of the farm first`;
  const standbys = (await lease?.standbys()) ?? [];
  return standbys.length === 0
    ? undefined
    : `A coordinator stands by (${standbys.join(", ")}): stop all coordinators of the farm first. One that was killed is gone after some seconds`;
};

/** What a move finds: an empty store, one into which this farm was copied in part, or all of it so that only the end lacks. */
type MoveStart = "begun" | "resumed" | "copied";

/** Refuses what is no farm as the source, and another farm's store as the target. Marks the target until it is whole. */
export const beginMove = async (from: StillStore, to: StillStore): Promise<MoveStart> => {
  const { kind, key } = movingMark;
  if ((await from.store.records.get(kind, key)) !== undefined)
    throw new AppError("CONFLICT", "The old store is itself one into which a farm is moved: finish that first");
  const [source, target] = await Promise.all([from.store.leading(), to.store.leading()]);
  if (source.epoch === 0) throw new AppError("CONFLICT", "There is no farm in the old store");
  const [farm, copied] = await marksOf(from);
  const begun = await to.store.records.get(kind, key);
  if (begun === copied) return "copied";
  if (target.epoch !== 0 && begun === undefined)
    throw new AppError("CONFLICT", "The new store has a farm already: give an empty one");
  if (begun?.startsWith(`${farm} as of `))
    throw new AppError("CONFLICT", "The old store was used after it was copied: empty the new one and begin again");
  if (begun !== undefined && begun !== farm)
    throw new AppError("CONFLICT", "Another farm is being moved into the new store: empty it first");
  await to.store.records.change(kind, key, () => farm);
  return begun === undefined ? "begun" : "resumed";
};

/** What the mark says while the farm is copied, and once both stores are the same. */
const marksOf = async ({ store }: StillStore): Promise<readonly [farm: string, copied: string]> => {
  const farm = (await store.records.get("farm", "farm_id")) ?? "a farm";
  const { epoch, batch } = await store.leading();
  return [farm, `${farm} as of ${epoch}.${batch}`];
};

/** Both stores are the same: whoever goes on after a break does not compare them again, since the new one gets a line. */
export const noteCopied = async (from: StillStore, to: StillStore): Promise<void> => {
  const [, copied] = await marksOf(from);
  await to.store.records.change(movingMark.kind, movingMark.key, () => copied);
};

/** The new store gets its first line of its own, once, and is a farm from then on. */
export const endMove = async (from: StillStore, { store }: StillStore, line: NewTrailLine): Promise<void> => {
  const [before, after] = await Promise.all([from.store.trail.ends(), store.trail.ends()]);
  if ((before?.last ?? 0) === (after?.last ?? 0)) await store.trail.add([line], keptLines);
  await store.records.change(movingMark.kind, movingMark.key, () => undefined);
};
