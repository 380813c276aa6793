import { z } from "zod";
import { causeNames } from "../model/failure.ts";
import { finish } from "../model/forecast.ts";

const plannedTask = z.strictObject({
  name: z.string(),
  /** What a node must have for it. */
  requires: z.array(z.string()),
  /** Enrolled nodes that have all of it. */
  nodes: z.number().int(),
  /** Commands with `{asset}` and `{out}` in place of a node's paths. */
  commands: z.array(z.string()),
  outputs: z.array(z.string()),
});

/** What a submission would do, as far as it is known before it runs. */
export const jobPlan = z.strictObject({
  dry_run: z.literal(true),
  warnings: z.array(z.string()),
  /** When it would be done if it were sent now; null: unknown. */
  finish: finish.nullable(),
  elements: z.array(
    z.strictObject({
      uid: z.string(),
      kind: z.string(),
      title: z.string(),
      /**
       * planned: its tasks are known · facts: files must be probed first · later: earlier elements must be planned
       * first · on_error: runs only if something fails · refused: it would fail, and `message` says why.
       */
      plan: z.enum(["planned", "facts", "later", "on_error", "refused"]),
      tasks: z.array(plannedTask),
      /** Files that a node probes first. */
      needs: z.array(z.string()),
      cause: z.enum(causeNames).nullable(),
      message: z.string().nullable(),
    }),
  ),
});
export type JobPlan = z.output<typeof jobPlan>;
