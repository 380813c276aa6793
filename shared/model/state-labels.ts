import type { LendState } from "../lending/lending.ts";
import type { ElementRunState } from "../state/element-run.ts";
import type { Cause } from "./failure.ts";
import type { JobInfo } from "./job-info.ts";
import type { Node } from "./node.ts";
import type { TaskInfo } from "./task.ts";

/** Hue always means state, on pages and terminals alike. */
export type Hue = "run" | "ok" | "bad" | "warn" | "dep" | "idle";

type StateLabel = {
  readonly word: string;
  readonly hue: Hue;
  /** A sentence for tooltips and the table of states. */
  readonly means: string;
};

/** Every state shown to people: one hue and one word each; pages and terminals add a glyph. */
export const states = {
  queued: { word: "Queued", hue: "idle", means: "May start as soon as a slot is free" },
  running: { word: "Running", hue: "run", means: "Running on a node" },
  completed: { word: "Completed", hue: "ok", means: "Done and checked" },
  handled: { word: "Errors handled", hue: "warn", means: "Done; the job handled its own errors" },
  failed: { word: "Failed", hue: "bad", means: "Failed after all retries" },
  retrying: { word: "Retrying", hue: "warn", means: "Failed and will be retried" },
  waiting: { word: "Waiting", hue: "dep", means: "Ready, but waiting for something outside the job" },
  blocked: { word: "Blocked", hue: "dep", means: "Waiting for an earlier element to end" },
  paused: { word: "Paused", hue: "idle", means: "Paused by a person" },
  scheduled: { word: "Scheduled", hue: "idle", means: "Starts at its scheduled time" },
  stopped: { word: "Stopped", hue: "idle", means: "Ended by a person, on purpose" },
  notTaken: { word: "Not taken", hue: "idle", means: "On a branch that the job did not take" },
  pending: { word: "Waits for approval", hue: "warn", means: "Joined, but nobody has let it work yet" },
  off: { word: "Off", hue: "idle", means: "Shut down or asleep; works again when it is switched on" },
  idle: { word: "Idle", hue: "idle", means: "Connected, nothing to do" },
  inUse: { word: "In use", hue: "idle", means: "Its owner uses it; gets no new tasks" },
  working: { word: "Working", hue: "run", means: "Running tasks" },
  draining: { word: "Draining", hue: "warn", means: "Finishing its tasks; takes no new ones" },
  quarantined: { word: "Quarantined", hue: "bad", means: "Kept failing where other nodes did not; gets no tasks" },
  probation: { word: "On probation", hue: "warn", means: "Gets one task at a time after a quarantine" },
  late: { word: "Late", hue: "warn", means: "A heartbeat is overdue; its work still counts" },
  lost: { word: "Lost", hue: "bad", means: "Not responding; its tasks were given to other nodes" },
} as const satisfies Record<string, StateLabel>;

export type StateName = keyof typeof states;

export const jobStateName = ({ status, substatus }: Pick<JobInfo, "status" | "substatus">): StateName => {
  if (status === "failed") return substatus === "stopped" ? "stopped" : "failed";
  if (status === "completed") return substatus === "handled_errors" ? "handled" : "completed";
  if (substatus === "paused" || substatus === "scheduled") return substatus;
  if (status === "queued") return "queued";
  if (substatus === "retrying" || substatus === "waiting") return substatus;
  return "running";
};

type Ended = { readonly cause?: Cause | null };

/** `cause`, if known: work that somebody stopped did not fail. */
export const taskStateName = ({ status, error, cause }: Pick<TaskInfo, "status" | "error"> & Ended): StateName => {
  if (status === "failed" && cause === "cancelled") return "stopped";
  return status === "queued" && error !== null ? "retrying" : status;
};

const elementStates: Record<ElementRunState, StateName> = {
  waiting: "blocked",
  planning: "running",
  running: "running",
  succeeded: "completed",
  failed: "failed",
  skipped: "notTaken",
};

export const elementStateName = (element: {
  readonly state: ElementRunState;
  readonly failure: Ended | null;
}): StateName => (element.failure?.cause === "cancelled" ? "stopped" : elementStates[element.state]);

/** The first rule that applies wins: states that need a person come before normal ones. */
export const nodeStateName = ({
  presence,
  state,
  health,
  lending,
  running,
}: Pick<Node, "presence" | "state" | "health" | "running"> & Partial<Pick<Node, "lending">>): StateName => {
  if (state === "pending") return "pending";
  if (presence !== "online") return presence;
  if (health.state === "quarantined") return "quarantined";
  if (state === "drain") return "draining";
  if (state === "paused") return "paused";
  if (health.state === "probation") return "probation";
  if (lending?.takes === false) return byOwnersWill.has(lending.state) ? "paused" : "inUse";
  return running.length > 0 ? "working" : "idle";
};

/** States that an owner chose, as opposed to what they do at the machine. */
const byOwnersWill: ReadonlySet<LendState> = new Set([
  "stopped",
  "never",
  "outOfHours",
  "battery",
  "diskLow",
  "asleep",
]);
