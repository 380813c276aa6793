import { z } from "zod";

/** The recorded actions of people and programs. */
export const auditActions = [
  "submit",
  "stop",
  "pause",
  "resume",
  "retry",
  "change",
  "priority",
  "undo",
  "activate",
  "drain",
  "pause_node",
  "change_node",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Somebody did something to a job or a node. */
export const auditEntry = z.strictObject({
  at: z.string(),
  who: z.string(),
  action: z.enum(auditActions),
  job_id: z.string().nullable(),
  node_id: z.string().nullable(),
  note: z.string().nullable(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/** A line of the farm's history, with the name of its job or node; null once that is gone. */
export const auditLine = auditEntry.extend({ subject: z.string().nullable() });
export type AuditLine = z.output<typeof auditLine>;

/** The reason, in the words of the person. */
export const actionNote = z.string().trim().max(300).optional().describe("Why, for everybody to read");
