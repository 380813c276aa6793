import { z } from "zod";
import { lendStates } from "../lending/lending.ts";
import { node } from "../model/node.ts";
import type { StateName } from "../model/state-labels.ts";
import { auditEntry } from "../people/audit.ts";

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
  /** Slots are drawn one above another: which of them it had. */
  lane: count,
  message: z.string().nullable(),
});
export type TimelineBar = z.output<typeof timelineBar>;

/** States in which a node takes no work, as its line of time tells them. */
export const downtimeStates = [
  "off",
  "lost",
  "quarantined",
  "draining",
  "paused",
  "inUse",
] as const satisfies StateName[];

/** A stretch of time in which a node took no work. */
export const downtime = z.strictObject({
  state: z.enum(downtimeStates),
  from: z.number(),
  /** Null while it lasts. */
  to: z.number().nullable(),
  /** What its owner's computer says of it; empty where it was not its owner. */
  why: z.string(),
  /** The same by its name, for other languages; null where it was not its owner. */
  lending: z.enum(lendStates).nullable(),
});
export type Downtime = z.output<typeof downtime>;

/** Times are Unix milliseconds. */
export const timeline = z.strictObject({
  from: z.number(),
  now: z.number(),
  /** There were more earlier attempts than are returned. */
  is_cut: z.boolean(),
  nodes: z.array(
    z.strictObject({
      node_id: z.string(),
      bars: z.array(timelineBar),
      downtimes: z.array(downtime),
    }),
  ),
});
export type Timeline = z.output<typeof timeline>;

const percent = z.number().min(0).max(100).nullable();

/** The load of one node's machine; null if it does not report it. */
export const nodeUse = z.strictObject({
  node_id: z.string(),
  cpu: percent,
  memory: percent,
  disk: percent,
  gpu: percent,
});
export type NodeUse = z.output<typeof nodeUse>;

/** How fast and how reliable a node is, and for whom it works. */
export const nodePace = z.strictObject({
  node_id: z.string(),
  /** How many times as fast as the farm's nodes usually are; null if too little is known. */
  speed: z.number().positive().nullable(),
  /** The same in comparison with so many other nodes of its kind: the same processor, cores and GPUs. */
  kind: z.strictObject({ speed: z.number().positive(), nodes: count }).nullable(),
  /** Attempts that its speed is known from. */
  samples: count,
  /** Attempts of the last day. */
  done: count,
  failed: count,
  /** Whose jobs run there now, each once. */
  owners: z.array(z.string()),
  /** Some of its programs and abilities that contain the text that was asked for. */
  has: z.array(z.string()),
});
export type NodePace = z.output<typeof nodePace>;

/** The data of a node's page, in addition to its row. */
export const uiNode = z.strictObject({
  node,
  /** Its measured capabilities. */
  capabilities: z.array(z.string()),
  history: z.array(auditEntry),
  /** Attempts of the last day, up to a limit. */
  done: count,
  failed: count,
  /** Failures of the last day, newest first. */
  failures: z.array(
    z.strictObject({ task_id: z.string(), job_id: z.string(), name: z.string(), at: z.string(), message: z.string() }),
  ),
});
export type UiNode = z.output<typeof uiNode>;
