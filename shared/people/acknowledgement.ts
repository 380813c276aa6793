import { z } from "zod";
import { actionNote } from "./audit.ts";

/**
 * What somebody knows of and looks after: one thing and since when it is wrong, such as `node 12 lost 2026-11-26T…`. If it
 * ends and happens again, it is another one.
 */
const subject = z.string().min(1).max(200);

export const acknowledgement = z.strictObject({
  subject,
  who: z.string(),
  at: z.string(),
  /** It is shown again then. */
  until: z.string(),
  why: z.string().nullable(),
});
export type Acknowledgement = z.output<typeof acknowledgement>;

export const acknowledgeInput = z.strictObject({
  subjects: z.array(subject).min(1).max(1000),
  /** Null takes the acknowledgement back. */
  until: z.iso.datetime().nullable(),
  why: actionNote,
});
