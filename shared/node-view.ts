import { z } from "zod";
import { deed } from "./deed.ts";
import { node } from "./node.ts";

const count = z.number().int().nonnegative();

/** One attempt as a bar on a node's line. */
export const timelineBar = z.strictObject({
  task_id: z.string(),
  job_id: z.string(),
  name: z.string(),
  job: z.string(),
  state: z.enum(["running", "published", "failed", "lost", "cancelled"]),
  begun: z.number(),
  /** Null while it runs. */
  ended: z.number().nullable(),
  /** While it runs: when it is likely to end. */
  expected: z.number().nullable(),
  /** Slots stand above one another: which of them it had. */
  lane: count,
  message: z.string().nullable(),
});
export type TimelineBar = z.output<typeof timelineBar>;

/** Times are milliseconds since 1970. */
export const timeline = z.strictObject({
  from: z.number(),
  now: z.number(),
  /** Earlier attempts were too many to be told of. */
  is_cut: z.boolean(),
  nodes: z.array(
    z.strictObject({
      node_id: z.string(),
      bars: z.array(timelineBar),
      /** What was asked of it by people in that time, newest first. */
      deeds: z.array(deed),
    }),
  ),
});
export type Timeline = z.output<typeof timeline>;

const percent = z.number().min(0).max(100).nullable();

/** How busy one node's machine is; null where it does not tell. */
export const nodeUse = z.strictObject({
  node_id: z.string(),
  cpu: percent,
  memory: percent,
  disk: percent,
  gpu: percent,
});
export type NodeUse = z.output<typeof nodeUse>;

/** One node with what its page shows beside its row. */
export const uiNode = z.strictObject({
  node,
  /** What it can do, as it was measured. */
  capabilities: z.array(z.string()),
  deeds: z.array(deed),
  /** Attempts of the last day, as far as they are looked at. */
  done: count,
  failed: count,
  /** Failures of the last day, newest first. */
  failures: z.array(
    z.strictObject({ task_id: z.string(), job_id: z.string(), name: z.string(), at: z.string(), message: z.string() }),
  ),
});
export type UiNode = z.output<typeof uiNode>;
