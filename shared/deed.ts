import { z } from "zod";

/** The recorded actions of people and programs. */
export const deedActions = [
  "submit",
  "stop",
  "pause",
  "resume",
  "retry",
  "change",
  "priority",
  "activate",
  "drain",
  "pause_node",
  "change_node",
] as const;
export type DeedAction = (typeof deedActions)[number];

/** Somebody did something to a job or a node. */
export const deed = z.strictObject({
  at: z.string(),
  who: z.string(),
  action: z.enum(deedActions),
  job_id: z.string().nullable(),
  node_id: z.string().nullable(),
  note: z.string().nullable(),
});
export type Deed = z.output<typeof deed>;

/** A line of the farm's history, with the name of its job or node; null once that is gone. */
export const deedLine = deed.extend({ subject: z.string().nullable() });
export type DeedLine = z.output<typeof deedLine>;

/** The reason, in the words of the person. */
export const deedNote = z.string().trim().max(300).optional().describe("Why, for everybody to read");
