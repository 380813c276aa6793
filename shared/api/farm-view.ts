import { z } from "zod";
import { finish } from "../model/forecast.ts";

const count = z.number().int().nonnegative();

/** The farm in numbers, for the overview and the frame of every page. */
export const farmView = z.strictObject({
  /** Name of the coordinator's machine. */
  host: z.string(),
  version: z.string(),
  /** Rises with every start of the coordinator. */
  epoch: z.number().int(),
  started: z.string(),
  now: z.string(),
  jobs: z.strictObject({ queued: count, active: count, completed: count, failed: count }),
  nodes: z.strictObject({
    presence: z.strictObject({ online: count, late: count, lost: count, off: count }),
    state: z.strictObject({ active: count, drain: count, paused: count, pending: count }),
  }),
  tasks: z.strictObject({
    running: count,
    ready: count,
    /** Elements of begun jobs that wait for others to end; null: not counted, they are too many. */
    blocked: count.nullable(),
  }),
  /** When the queue will be done; null: unknown, or it is empty. */
  empty: finish.nullable(),
});
export type FarmView = z.output<typeof farmView>;
