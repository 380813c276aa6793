import { setTimeout as pause } from "node:timers/promises";
import { StoreRefusal } from "../../../coordinator/store/batch.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { randomFrom } from "../random/random.ts";

type Fate = (write: () => Promise<void>) => Promise<void>;

/** The words of a refusal on purpose. */
export const refusalOf = (kind: "content" | "disk" | "unknown"): string => `refused on purpose: ${kind}`;

const refused =
  (kind: "content" | "disk" | "unknown"): Fate =>
  async () => {
    throw new StoreRefusal(kind, refusalOf(kind));
  };

const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  throw new Error("killed");
};

/** What becomes of a batch. */
export const fates = {
  "is refused for its content": refused("content"),
  "is refused by the disk": refused("disk"),
  "is not written and nobody knows": refused("unknown"),
  "is written and nobody knows": async (write) => {
    await write();
    throw new StoreRefusal("unknown", "nobody knows, on purpose");
  },
  "is answered late": async (write) => {
    await write();
    await pause(400);
  },
  "is decided and never written: the coordinator dies": async () => die(),
  "is written and never answered: the coordinator dies": async (write) => {
    await write();
    die();
  },
} as const satisfies Readonly<Record<string, Fate>>;
export type FateName = keyof typeof fates;

/** A fate for one batch of so many, the first ones left in peace; "any" draws one that leaves the coordinator alive. */
export type StoreTroubles = { readonly fate: FateName | "any"; readonly every: number; readonly seed: number };

/**
 * So many batches after one that was refused for its content, none is: each of its decisions is repeated in a batch of its
 * own, and one that is refused there as well has failed for good, as it should.
 */
const repeated = 100;

const harmless = (Object.keys(fates) as FateName[]).filter((name) => !name.endsWith("dies")); // the names of a literal

/** A store to whose batches bad things happen. */
export const troubled = (store: Store, { fate, every, seed }: StoreTroubles): Store => {
  const random = randomFrom(seed);
  let peaceful = 0;
  return {
    ...store,
    write: (batch) => {
      const write = () => store.write(batch);
      peaceful -= 1;
      if (batch.nr < 5 || !random.chance(1 / every)) return write();
      const drawn = fate === "any" ? random.one(harmless) : fate;
      if (drawn !== "is refused for its content") return fates[drawn](write);
      if (peaceful > 0) return write();
      peaceful = repeated;
      return fates[drawn](write);
    },
  };
};
