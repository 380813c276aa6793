import { z } from "zod";
import { limits } from "./job.ts";

/** How long the farm keeps what has ended. Logs and results go with their job. */
export const retention = z.strictObject({
  /** Minutes after its end at which a job is deleted that names no `expiration` of its own. */
  jobMinutes: z.number().int().min(0).max(limits.expirationMinutes),
});
export type Retention = z.output<typeof retention>;

export const usualRetention: Retention = { jobMinutes: limits.defaultExpirationMinutes };
