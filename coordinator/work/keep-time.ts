import { z } from "zod";
import type { Clock } from "../../shared/clock.ts";
import type { Stores } from "../db/stores.ts";
import { createFarmClock, type FarmClock } from "../farm-clock.ts";
import type { Farm } from "./farm.ts";

const metaKey = "farm_time";
const mark = z.strictObject({ steady: z.number(), wall: z.number() });

/** The farm's clock as the last life left it. */
export const resumeClock = (clock: Clock, { accounts }: Pick<Stores, "accounts">): FarmClock => {
  const kept = accounts.meta(metaKey);
  return createFarmClock(clock, kept === undefined ? undefined : mark.parse(JSON.parse(kept)));
};

/** Writes down how far the farm's time is. Called with every tick. */
export const keepTime = async ({ clock, db, stores }: Pick<Farm, "clock" | "db" | "stores">): Promise<void> => {
  const now = clock.unkept();
  if (now) await db.commit(() => stores.accounts.setMeta(metaKey, JSON.stringify(now)));
};
