import { z } from "zod";
import { errorCodes } from "../basics/errors.ts";
import { looseBoolean, looseInteger } from "../basics/loose-values.ts";
import { actionNote } from "../people/audit.ts";

/** Decimal numbers, as texts or numbers; other texts name nothing. */
export const idTexts = z.array(z.union([z.string().max(20), z.number().int()]).transform(String)).max(10_000);

/** What to run again: a job's failed elements, those of some tasks, or all of it. */
export const retryInput = z.looseObject({
  scope: z.enum(["failed", "all"]).default("failed").describe("`all` runs the whole job again"),
  task_ids: idTexts.default([]).describe("Only the elements of these failed tasks"),
  replan: looseBoolean()
    .optional()
    .describe(
      "Whether elements are planned again from their sources. Absent: where the source or the definition was the cause",
    ),
});

export const retried = z.strictObject({
  id: z.string(),
  /** Tasks that are queued again. */
  tasks: z.array(z.string()),
  /** Elements that are planned again. */
  elements: z.array(z.string()),
});

export const jobActions = ["stop", "pause", "resume", "retry", "priority", "delete"] as const;
export type JobAction = (typeof jobActions)[number];

/** One action for many jobs. */
export const bulkInput = z
  .looseObject({
    action: z.enum(jobActions),
    ids: idTexts.min(1),
    priority: looseInteger(1, 254).optional().describe("For the action `priority`"),
    note: actionNote,
  })
  .refine(({ action, priority }) => action !== "priority" || priority !== undefined, {
    path: ["priority"],
    message: "is needed for the action priority",
  });

const errorNames = Object.keys(errorCodes) as [keyof typeof errorCodes]; // Object.keys forgets the literal names

/** The result for each job, in the order of the ids. */
export const bulkAnswer = z.strictObject({
  items: z.array(
    z.strictObject({
      id: z.string(),
      success: z.boolean(),
      error: z.enum(errorNames).optional(),
      message: z.string().optional(),
    }),
  ),
});
