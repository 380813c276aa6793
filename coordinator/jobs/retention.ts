import type { JobSpec } from "../../shared/model/job.ts";
import { type Retention, retention, usualRetention } from "../../shared/model/retention.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { keepAnswer } from "../store/kept/answer.ts";

const recordKey = "retention";

export type JobRetention = ReturnType<typeof createRetention>;

/** How long jobs are kept if they do not say so themselves. */
export const createRetention = ({ store, log }: Pick<Kernel, "store" | "log">) => {
  const kept = keepAnswer(async (): Promise<Retention> => {
    const text = await store.records.get("farm", recordKey);
    return text === undefined ? usualRetention : retention.parse(JSON.parse(text));
  });
  return {
    read: kept.get,
    /** Applies to jobs that are submitted from now on. */
    set: async (wanted: Retention): Promise<Retention> => {
      await store.records.change("farm", recordKey, () => JSON.stringify(wanted)).finally(kept.forget);
      log.info({ retention: wanted }, "the retention of jobs was changed");
      return wanted;
    },
  };
};

/** Gives the job the farm's expiration unless it was sent with its own. */
export const withRetention = (spec: JobSpec, received: Readonly<Record<string, unknown>>, kept: Retention): JobSpec =>
  received.expiration === undefined ? { ...spec, expirationMinutes: kept.jobMinutes } : spec;
