import { z } from "zod";
import type { Clock } from "../../shared/clock.ts";
import { createFarmClock, type FarmClock, type TimeMark } from "../farm-clock.ts";
import type { Store } from "../store/store.ts";
import type { Farm } from "./farm.ts";

const metaKey = "farm_time";
const mark = z.strictObject({ steady: z.number(), wall: z.number() });

/** The farm's clock as of the last run. */
export const resumeClock = async (clock: Clock, { meta }: Pick<Store, "meta">): Promise<FarmClock> => {
  const kept = await meta.get(metaKey);
  return createFarmClock(clock, kept === undefined ? undefined : mark.parse(JSON.parse(kept)));
};

/** Stores the farm's time when that is due. Called with every tick. */
export const keepTime = async (farm: Farm): Promise<void> => {
  const now = farm.clock.unkept();
  if (now) await keep(farm, now);
};

/** The same when the coordinator stops. If the disk is full, the next run continues from the last stored time. */
export const keepLastTime = (farm: Farm): Promise<void> =>
  keep(farm, farm.clock.mark()).catch((problem) => farm.log.warn({ err: problem }, "the farm's time is not kept"));

const keep = ({ store }: Farm, now: TimeMark): Promise<void> => store.meta.set(metaKey, JSON.stringify(now));
