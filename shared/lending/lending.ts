import { z } from "zod";
import { amount, instant } from "../basics/bounds.ts";
import { nightsAndWeekends, weekPlan } from "./week-plan.ts";

/** When a computer lends itself to its farm. */
export const lendModes = ["always", "idle", "hours", "never"] as const;
export type LendMode = (typeof lendModes)[number];

/** What happens to running tasks when lending stops. */
export const returnWays = ["suspend", "finish", "requeue"] as const;
export type ReturnWay = (typeof returnWays)[number];

/** What the owner of a computer allows its farm. */
export const lendingRules = z.strictObject({
  lend: z.enum(lendModes),
  /** Minutes without mouse or keyboard after which the computer counts as unused. */
  idleAfterMin: z.number().int().min(1).max(480),
  week: weekPlan,
  onReturn: z.enum(returnWays),
  /** Minutes that suspended tasks are held before they are given back. */
  holdMin: z.number().int().min(1).max(1440),
  /** Seconds between the notice and the start of work. */
  noticeSec: z.number().int().min(0).max(600),
  onBattery: z.boolean(),
  /** Whether it lends while a program fills the screen: films, games, presentations. */
  inFullScreen: z.boolean(),
  /** Programs, such as Nuke: while one of them runs, this computer does not lend. */
  notWhile: z.array(z.string().trim().min(1).max(100)).max(50).default([]),
  /** Bytes that stay free on every disk that tasks write to. */
  minDisk: z.number().int().nonnegative(),
});
export type LendingRules = z.output<typeof lendingRules>;

const gibibyte = 1024 ** 3;

/** A new workstation lends gently, without disturbing its user. */
export const gentleRules: LendingRules = {
  lend: "idle",
  idleAfterMin: 5,
  week: nightsAndWeekends,
  onReturn: "suspend",
  holdMin: 10,
  noticeSec: 30,
  onBattery: false,
  inFullScreen: false,
  notWhile: [],
  minDisk: 10 * gibibyte,
};

/** A machine without a user works all the time and guards its disk. */
export const headlessRules: LendingRules = {
  ...gentleRules,
  lend: "always",
  noticeSec: 0,
  onBattery: true,
  inFullScreen: true,
  minDisk: gibibyte,
};

/** The owner's last button press; it overrides the rules while it is in effect. */
export const lendingAction = z.discriminatedUnion("do", [
  /** until: Unix milliseconds; null: until it is pressed again. */
  z.strictObject({ do: z.literal("stop"), until: z.number().nullable() }),
  /** Skips this time only: the next time the rules allow it, it lends. */
  z.strictObject({ do: z.literal("skip") }),
  /** Even if somebody is there, or outside the hours. */
  z.strictObject({ do: z.literal("lend"), until: z.number().nullable() }),
]);
export type LendingAction = z.output<typeof lendingAction>;

/** Whether a computer lends, and what prevents it. */
export const lendStates = [
  "lending",
  "soon",
  "inUse",
  "busy",
  "outOfHours",
  "stopped",
  "never",
  "fullScreen",
  "program",
  "battery",
  "diskLow",
  "asleep",
] as const;
export type LendState = (typeof lendStates)[number];

/** How a node uses its machine, as far as it can measure. */
export const nodeLoad = z.strictObject({
  /** Busy share of all cores, 0 to 1, and the share of the farm's tasks. */
  cpu: z.number().min(0).max(1),
  farmCpu: z.number().min(0).max(1).optional(),
  memoryUsed: amount,
  memory: amount,
  /** Free and total bytes of the fullest disk that tasks write to. */
  disk: z.strictObject({ free: amount, total: amount }).optional(),
  /** Busy share of the busiest GPU, if its driver reports it. */
  gpu: z.number().min(0).max(1).optional(),
});
export type NodeLoad = z.output<typeof nodeLoad>;

export const battery = z.strictObject({ isUsed: z.boolean(), percent: z.number().min(0).max(100).optional() });
export type Battery = z.output<typeof battery>;

/** A node's state towards its farm: sent with hello and heartbeats, shown with the node. */
export const standing = z.strictObject({
  state: z.enum(lendStates),
  /** The current state and what happens next, in one or two sentences. */
  why: z.string().max(500),
  /** Unix milliseconds at which it changes by itself; null if unknown. */
  until: instant.nullable(),
  /** Whether new tasks may come. */
  takes: z.boolean(),
  /** Running tasks are suspended. */
  isSuspended: z.boolean(),
  load: nodeLoad.optional(),
  battery: battery.optional(),
});
export type Standing = z.output<typeof standing>;

/** One day's contribution: hours in which at least one task ran, and tasks that ended here. */
export const lentDay = z.strictObject({
  /** Such as 2026-03-12, by the computer's own clock. */
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  lentMs: z.number().nonnegative(),
  tasks: z.number().int().nonnegative(),
});
export type LentDay = z.output<typeof lentDay>;

/** A task that runs on this computer. */
export const localTask = z.strictObject({
  taskId: z.number().int(),
  name: z.string(),
  /** 0 to 100; null while unknown. */
  percent: z.number().min(0).max(100).nullable(),
  /** Milliseconds of work; suspended time does not count. */
  workedMs: z.number().nonnegative(),
});
export type LocalTask = z.output<typeof localTask>;

/** A task that ended on this computer. */
export const endedTask = z.strictObject({
  name: z.string(),
  how: z.enum(["done", "failed", "givenBack"]),
  workedMs: z.number().nonnegative(),
  /** Unix milliseconds. */
  at: z.number(),
});
export type EndedTask = z.output<typeof endedTask>;

/** All that this computer's agent reports to its owner. */
export const lendingReport = z.strictObject({
  standing,
  /** False if this system cannot suspend programs. */
  canSuspend: z.boolean(),
  /** What suspended tasks cost, and when they are given back; null while none is held. Bytes, null if unknown. */
  held: z.strictObject({ memory: amount.nullable(), until: instant.nullable() }).nullable(),
  running: z.array(localTask),
  /** The latest first. */
  ended: z.array(endedTask),
  /** The last days with a contribution, the latest last. */
  days: z.array(lentDay),
});
export type LendingReport = z.output<typeof lendingReport>;
