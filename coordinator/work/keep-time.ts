import { z } from "zod";
import type { Clock } from "../../shared/clock.ts";
import type { Stores } from "../db/stores.ts";
import { createFarmClock, type FarmClock, type TimeMark } from "../farm-clock.ts";
import type { Farm } from "./farm.ts";

const metaKey = "farm_time";
const mark = z.strictObject({ steady: z.number(), wall: z.number() });

/** The farm's clock as the last life left it. */
export const resumeClock = (clock: Clock, { accounts }: Pick<Stores, "accounts">): FarmClock => {
  const kept = accounts.meta(metaKey);
  return createFarmClock(clock, kept === undefined ? undefined : mark.parse(JSON.parse(kept)));
};

/** Writes down how far the farm's time is, where that is due. Called with every tick. */
export const keepTime = async (farm: Farm): Promise<void> => {
  const now = farm.clock.unkept();
  if (now) await keep(farm, now);
};

/** The same at the end of a life of the coordinator. On a full disk the next life goes on from what is written. */
export const keepLastTime = (farm: Farm): Promise<void> =>
  keep(farm, farm.clock.mark()).catch((problem) => farm.log.warn({ err: problem }, "the farm's time is not kept"));

const keep = ({ db, stores }: Farm, now: TimeMark): Promise<void> =>
  db.commit(() => stores.accounts.setMeta(metaKey, JSON.stringify(now)));
