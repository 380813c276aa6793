import { type Duty, farmDuties } from "../../../coordinator/duties.ts";
import type { Farm } from "../../../coordinator/farm.ts";

const known = new WeakMap<Farm, Duty[]>();

/** Does every duty once, one after the other, however long its interval is. */
export const runDuties = async (farm: Farm): Promise<void> => {
  const duties = known.get(farm) ?? farmDuties(farm);
  known.set(farm, duties);
  for (const { run } of duties) await run();
};
