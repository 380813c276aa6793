import { z } from "zod";

/** How a coordinator runs. Milliseconds where a name ends in Ms. */
export const coordinatorConfig = z.strictObject({
  dataDir: z.string().min(1),
  host: z.string().default("127.0.0.1"),
  port: z.number().int().min(0).max(65_535).default(8700),
  /** Where the built pages lie; absent: where the build leaves them in a clone. */
  pagesDir: z.string().min(1).optional(),
  heartbeatMs: z.number().positive().default(5000),
  /** A node silent for this long is shown as late … */
  lateMs: z.number().positive().default(10_000),
  /** … and for this long as lost: its work is given away. */
  lostMs: z.number().positive().default(30_000),
  /** How long a task waits for a node that can do it, where no enrolled one can. */
  capabilityWaitMs: z.number().nonnegative().default(60_000),
  /** How long a granted publication of a lost node is waited for before the task runs anew. */
  commitWaitMs: z.number().nonnegative().default(600_000),
  tickMs: z.number().positive().default(1000),
  tokenMs: z
    .number()
    .positive()
    .default(30 * 60_000),
});
export type CoordinatorConfig = z.output<typeof coordinatorConfig>;
