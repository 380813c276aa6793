import { z } from "zod";
import type { Clock } from "../shared/basics/clock.ts";
import { createFarmClock, type FarmClock, type TimeMark } from "./farm-clock.ts";
import type { Kernel } from "./kernel/kernel.ts";
import type { Store } from "./store/store.ts";

type Parts = Pick<Kernel, "clock" | "log" | "store">;

const recordKey = "farm_time";
const mark = z.strictObject({ steady: z.number(), wall: z.number() });

/** The farm's clock as of the last run. */
export const resumeClock = async (clock: Clock, { records }: Pick<Store, "records">): Promise<FarmClock> => {
  const kept = await records.get("farm", recordKey);
  return createFarmClock(clock, kept === undefined ? undefined : mark.parse(JSON.parse(kept)));
};

/** Stores the farm's time when that is due. Called with every tick. */
export const keepTime = async (farm: Parts): Promise<void> => {
  const now = farm.clock.unkept();
  if (now) await keep(farm, now);
};

/** The same when the coordinator stops. If the disk is full, the next run continues from the last stored time. */
export const keepLastTime = (farm: Parts): Promise<void> =>
  keep(farm, farm.clock.mark()).catch((problem) => farm.log.warn({ err: problem }, "the farm's time is not kept"));

const keep = async ({ store }: Parts, now: TimeMark): Promise<void> => {
  await store.records.change("farm", recordKey, () => JSON.stringify(now));
};
