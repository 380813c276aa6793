import { z } from "zod";
import { alertContent, alertKindNames } from "../../shared/outbound/alerts.ts";

/** What is gathered for one channel and goes out as one message. Times are Unix milliseconds. */
const gathered = z.strictObject({
  /** When the first of it came; null: there is nothing. */
  since: z.number().nullable(),
  is_urgent: z.boolean(),
  content: alertContent,
  /** When the last message went out; null: none yet. */
  last: z.number().nullable(),
});
export type Gathered = z.output<typeof gathered>;

/** What is kept between two looks at the farm. */
export const alertState = z.strictObject({
  /** Jobs that failed until then were noticed. */
  failed_until: z.number(),
  /** What was noticed and is not over, by kind and subject. */
  open: z.record(z.string(), z.strictObject({ kind: z.enum(alertKindNames), subject: z.string(), name: z.string() })),
  channels: z.record(z.string(), gathered),
});
export type AlertState = z.output<typeof alertState>;

export const nothingGathered: Gathered = {
  ...{ since: null, is_urgent: false, last: null },
  content: { counts: [], notices: [], is_test: false },
};

/** A farm that just began to notice things tells nothing that happened before. */
export const stateFrom = (now: number): AlertState => ({ failed_until: now, open: {}, channels: {} });
