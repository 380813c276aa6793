import type { JobSpec } from "../../shared/job.ts";
import { type Retention, retention, usualRetention } from "../../shared/retention.ts";
import type { Farm } from "./farm.ts";

const metaKey = "retention";

/** How long jobs are kept if they do not say so themselves. */
export const retentionOf = async ({ store }: Pick<Farm, "store">): Promise<Retention> => {
  const text = await store.meta.get(metaKey);
  return text === undefined ? usualRetention : retention.parse(JSON.parse(text));
};

/** Applies to jobs that are submitted from now on. */
export const setRetention = async (farm: Farm, wanted: Retention): Promise<Retention> => {
  await farm.store.meta.set(metaKey, JSON.stringify(wanted));
  farm.log.info({ retention: wanted }, "the retention of jobs was changed");
  return wanted;
};

/** Gives the job the farm's expiration unless it was sent with its own. */
export const keptAsLong = (spec: JobSpec, received: Readonly<Record<string, unknown>>, kept: Retention): JobSpec =>
  received.expiration === undefined ? { ...spec, expirationMinutes: kept.jobMinutes } : spec;
