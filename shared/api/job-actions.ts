import { z } from "zod";
import { errorCodes } from "../basics/errors.ts";
import { looseBoolean, looseInteger } from "../basics/loose-values.ts";
import { limits, startAfter } from "../model/job.ts";
import { actionNote } from "../people/audit.ts";
import { jobHolds, jobStatuses } from "../state/job.ts";

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
  /** Why it starts nothing yet: who stopped it found it paused or scheduled, and so it is again. Null: it goes on. */
  held: z.enum(jobHolds).nullable(),
});

export const jobActions = ["stop", "pause", "resume", "retry", "priority", "schedule", "delete"] as const;
export type JobAction = (typeof jobActions)[number];

/** Jobs that one call may select by what they have in common. */
export const mostMatched = 100_000;

/** Which jobs a list shows; empty lists mean any. */
export const jobMatch = z.looseObject({
  statuses: z.array(z.enum(jobStatuses)).max(10).default([]),
  substatuses: z.array(z.string().max(40).nullable()).max(10).default([]),
  owners: z.array(z.string().max(200).nullable()).max(10).default([]),
  text: z.string().max(2000).default("").describe("Part of the name, the tag, the owner or the error; or an id"),
  except: idTexts.default([]).describe("Jobs that are left out"),
});

const [lowest, highest] = [limits.lowestPriority, limits.highestPriority];

/** What each action needs beside the jobs: one of these fields. */
const neededBy: Partial<Record<JobAction, readonly ["priority", "priority_step"] | readonly ["start_after"]>> = {
  priority: ["priority", "priority_step"],
  schedule: ["start_after"],
};

/** One action for many jobs: for those that are named, or for all that match. */
export const bulkInput = z
  .looseObject({
    action: z.enum(jobActions),
    ids: idTexts.min(1).optional(),
    matching: jobMatch.optional().describe("Instead of ids"),
    count: looseInteger(1, mostMatched)
      .optional()
      .describe("With `matching`: how many jobs are meant. If more match, the call is refused and changes nothing"),
    priority: looseInteger(lowest, highest).optional().describe("For the action `priority`"),
    priority_step: looseInteger(lowest - highest, highest - lowest)
      .optional()
      .describe("For the action `priority`: added to what each job has"),
    start_after: startAfter.nullable().optional().describe("For the action `schedule`; null: at once"),
    note: actionNote,
  })
  .refine(({ ids, matching }) => (ids === undefined) !== (matching === undefined), {
    path: ["ids"],
    message: "name jobs by ids, or select them by matching: one of the two",
  })
  .refine(({ matching, count }) => matching === undefined || count !== undefined, {
    path: ["count"],
    message: "is needed with matching: the number of jobs that are meant",
  })
  .superRefine((input, context) => {
    const needed = neededBy[input.action];
    if (!needed || needed.some((field) => input[field] !== undefined)) return;
    context.addIssue({ code: "custom", path: [needed[0]], message: `is needed for the action ${input.action}` });
  });

const errorNames = Object.keys(errorCodes) as [keyof typeof errorCodes]; // Object.keys forgets the literal names

/** The result for each job, in the order of the ids; of a selection, all of its jobs by id. */
export const bulkAnswer = z.strictObject({
  items: z.array(
    z.strictObject({
      id: z.string(),
      success: z.boolean(),
      error: z.enum(errorNames).optional(),
      message: z.string().optional(),
      /** Of a job that was retried, as in the answer of one retry; absent: it goes on. */
      held: z.enum(jobHolds).optional(),
    }),
  ),
  /** Takes all of it back for ten minutes; absent where nothing can be taken back. */
  undo: z.string().optional(),
});

export const undoInput = z.looseObject({ undo: z.string().min(1).max(100) });
