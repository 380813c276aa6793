import type { JobSpec } from "../../shared/model/job.ts";
import { type Retention, retention, usualRetention } from "../../shared/model/retention.ts";
import type { Kernel } from "../kernel/kernel.ts";

const recordKey = "retention";

/** How long jobs are kept if they do not say so themselves. */
export const readRetention = async ({ store }: Pick<Kernel, "store">): Promise<Retention> => {
  const text = await store.records.get("farm", recordKey);
  return text === undefined ? usualRetention : retention.parse(JSON.parse(text));
};

/** Applies to jobs that are submitted from now on. */
export const setRetention = async (farm: Pick<Kernel, "log" | "store">, wanted: Retention): Promise<Retention> => {
  await farm.store.records.change("farm", recordKey, () => JSON.stringify(wanted));
  farm.log.info({ retention: wanted }, "the retention of jobs was changed");
  return wanted;
};

/** Gives the job the farm's expiration unless it was sent with its own. */
export const withRetention = (spec: JobSpec, received: Readonly<Record<string, unknown>>, kept: Retention): JobSpec =>
  received.expiration === undefined ? { ...spec, expirationMinutes: kept.jobMinutes } : spec;
