import { z } from "zod";
import type { LendState } from "../lending/lending.ts";
import type { ResourceKind } from "../model/demand.ts";

/** Why a task does not run now, or not on a node: a reason's name, and what its sentence is made of. */
const sentences = {
  ended: ({ state }: { state: string }) => `It has ended: ${state}`,
  running: ({ node }: { node: string }) => `It runs on ${node}`,
  scripted: () => "Its job only pretends: it goes by the job's script, without a node",
  job_paused: () => "Its job is paused",
  job_scheduled: ({ until }: { until: string }) => `Its job starts after ${until}`,
  awaits: ({ why, since, next, until }: { why: string; since: string; next: string; until: string }) =>
    `It waits since ${since}, until ${until} at most (${why}); the next look is ${next}`,
  watches: ({ folder, why, next }: { folder: string; why: string; next: string }) =>
    `It watches ${folder} (${why}); the next look is ${next}`,
  retry_delay: ({ until }: { until: string }) => `It failed and is tried again at ${until}`,
  grant_wait: ({ node, until }: { node: string; until: string }) =>
    `It waits for the grant of node ${node}, which is lost, until ${until}, or until another node sees what was granted`,
  stopped_grant: ({ node, until }: { node: string; until: string }) =>
    `Node ${node} was publishing its files when it was stopped, and cannot be reached: it waits until ${node} is back, or until ${until}`,
  limit: ({ tag, most, running }: { tag: string; most: number; running: number }) =>
    `The farm runs at most ${most} tasks with the tag "${tag}" at a time, and ${running} run`,
  no_nodes: () => "The farm has no nodes",
  nobody_can: ({ lacking, until }: { lacking: string; until: string }) =>
    `No node of the farm provides ${lacking}; unless one joins it fails at ${until}`,
  ahead: ({ count }: { count: number }) =>
    count === 1 ? "One task goes before it" : `${count.toLocaleString("en")} tasks go before it`,
  offline: () => "Not connected",
  owner: ({ why }: { state: LendState; why: string }) => `Not lent by its owner: ${why.replace(/\.$/, "")}`,
  node_pending: () => "Nobody has let it work yet: it waits for approval",
  node_paused: () => "Paused by an operator",
  node_draining: () => "Draining: it takes no new tasks",
  quarantined: ({ until }: { until: string }) => `Quarantined until ${until}`,
  on_probation: () => "On probation: it has the one task that it is tried with",
  missing_tag: ({ tag }: { tag: string }) => `Does not provide the tag "${tag}"`,
  mandatory_tag: ({ tag }: { tag: string }) => `Takes only tasks that carry the tag "${tag}"`,
  missing_capability: ({ capability }: { capability: string }) => `Has no ${capability}`,
  out_of_reach: ({ prefix }: { prefix: string }) => `No root or mount of it covers ${prefix}`,
  credential_bound: ({ entry }: { entry: string }) =>
    `May not use the entry ${entry} of the credentials vault, which is bound to other nodes or groups`,
  other_build: () => "Its build of ffmpeg is another one than that of the task's other sections",
  too_small: ({ room, wanted, has }: { room: ResourceKind; wanted: number; has: number }) =>
    `Has ${amount(room, has)} of ${roomWords[room]} in all, and the task takes ${amount(room, wanted)}`,
  no_slot: ({ wanted, free }: { wanted: number; free: number }) =>
    wanted === 1 ? "All of its slots are taken" : `The task takes ${wanted} slots, and ${Math.max(0, free)} are free`,
  no_light_slot: () => "All of its slots for light tasks are taken",
  no_room: ({ room, wanted, free }: { room: ResourceKind; wanted: number; free: number }) =>
    `Has ${amount(room, Math.max(0, free))} of ${roomWords[room]} free, and the task takes ${amount(room, wanted)}`,
  avoided: () => "The task, or its job, failed here before, and another node could do it",
  /** Without a number: somebody else's task. */
  reserved: ({ task }: { task: string }) =>
    `Is kept free for ${task === "" ? "another task" : `task ${task}`}, which has waited for long`,
} as const satisfies Record<string, (data: never) => string>;

export type Reason = keyof typeof sentences;
type DataOf<R extends Reason> = Parameters<(typeof sentences)[R]>[0];

const reasonNames = Object.keys(sentences) as [Reason, ...Reason[]]; // Object.keys forgets the literal names

const roomWords: Record<ResourceKind, string> = { memory: "memory", disk: "disk", gpus: "GPUs" };
const amount = (room: ResourceKind, value: number): string =>
  room === "gpus" ? String(value) : `${(value / 1e9).toFixed(1)} GB`;

export const obstacle = z.strictObject({
  reason: z.enum(reasonNames),
  /** The reason as a sentence without its end. */
  message: z.string(),
  /** What the sentence is made of. */
  data: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type Obstacle = z.output<typeof obstacle>;

/** A reason with its sentence. */
export const obstacleOf = <R extends Reason>(
  reason: R,
  ...[data]: DataOf<R> extends undefined ? [] : [DataOf<R>]
): Obstacle => {
  // Each sentence belongs to the data of its own reason, which the union of all of them cannot say.
  const sentence = sentences[reason] as (data: unknown) => string;
  return { reason, message: sentence(data), data: { ...(data as Obstacle["data"] | undefined) } };
};

/** Why one of several free nodes is given a task. */
export const nearText = (close: number, inputs: number): string =>
  `${close} of ${inputs} ${inputs === 1 ? "input" : "inputs"} made or fetched here, or covered by a root: it goes before other free nodes`;

/** A part of a summary: a reason, and how many nodes it holds back; 0: it holds everywhere. */
export const summaryPart = obstacle.extend({ nodes: z.number().int().nonnegative() });
export type SummaryPart = z.output<typeof summaryPart>;

/** Why a task waits, as data and in words. */
export const explanation = z.strictObject({
  task_id: z.string(),
  job_id: z.string(),
  name: z.string(),
  /** Whether it could start, were it not for what stands below. */
  is_waiting: z.boolean(),
  /** All of it in one sentence. */
  summary: z.string(),
  /** The same as data, for whoever says it in another language; empty where a part has no reason of its own. */
  summary_parts: z.array(summaryPart),
  /** What holds wherever it runs. */
  reasons: z.array(obstacle),
  /** All nodes of the farm; those listed are the ones that are closest to taking it. */
  node_count: z.number().int(),
  /** A node without reasons could take it this moment. */
  nodes: z.array(
    z.strictObject({
      node_id: z.string(),
      name: z.string(),
      reasons: z.array(obstacle),
      /** How close the task's inputs are, where that makes the node better than others. */
      near: z.string().optional(),
    }),
  ),
});
export type Explanation = z.output<typeof explanation>;
