import type { ElementRunState } from "./element-run.ts";
import type { TaskState } from "./task.ts";

export const jobStatuses = ["queued", "active", "completed", "failed"] as const;
export type JobStatus = (typeof jobStatuses)[number];

/** The details of a status. `null` if there are none. */
export const jobSubstatuses = [
  "waiting",
  "running",
  "retrying",
  "paused",
  "scheduled",
  "stopped",
  "handled_errors",
] as const;
export type JobSubstatus = (typeof jobSubstatuses)[number] | null;

/** Why none of a job's tasks may start now: somebody has to resume it, or its time has to come. */
export const jobHolds = ["paused", "scheduled"] as const;
export type JobHold = (typeof jobHolds)[number] | null;

export type JobView = {
  readonly isStopped: boolean;
  /** A task of it has been given to a node before. */
  readonly hasStarted: boolean;
  /** Why none of its tasks may start now, if so. */
  readonly held: JobHold;
  /** All of its elements have. */
  readonly hasEnded: boolean;
  /** How many instances of its elements are in a state. */
  readonly elements: ReadonlyMap<ElementRunState, number>;
  /** Of those that failed, how many nothing handled; it counts once all have ended. */
  readonly unhandled: number;
  /** How many of its tasks are in a state. */
  readonly tasks: ReadonlyMap<TaskState, number>;
};

type Rule = readonly [JobStatus, JobSubstatus, (view: JobView) => boolean];

const someTask = (view: JobView, ...states: TaskState[]) => states.some((state) => (view.tasks.get(state) ?? 0) > 0);
const someElement = (view: JobView, ...states: ElementRunState[]) =>
  states.some((state) => (view.elements.get(state) ?? 0) > 0);
const hasBegun = (view: JobView) =>
  view.hasStarted ||
  someTask(view, "running", "committing", "completed", "failed", "delayed") ||
  someElement(view, "succeeded", "failed");

/** A job's state is derived: the first rule that applies wins. */
const rules: readonly Rule[] = [
  ["failed", "stopped", (view) => view.isStopped],
  ["failed", null, ({ hasEnded, unhandled }) => hasEnded && unhandled > 0],
  ["completed", "handled_errors", (view) => view.hasEnded && someElement(view, "failed")],
  ["completed", null, ({ hasEnded }) => hasEnded],
  ["active", "paused", (view) => view.held === "paused" && hasBegun(view)],
  ["queued", "paused", (view) => view.held === "paused"],
  ["active", "scheduled", (view) => view.held === "scheduled" && hasBegun(view)],
  ["queued", "scheduled", (view) => view.held === "scheduled"],
  ["active", "running", (view) => someTask(view, "running", "committing")],
  ["active", "retrying", (view) => someTask(view, "delayed")],
  ["active", "waiting", hasBegun],
  ["queued", "waiting", () => true],
];

export const jobState = (view: JobView): { readonly status: JobStatus; readonly substatus: JobSubstatus } => {
  const [status, substatus] = rules.find(([, , holds]) => holds(view)) ?? ["queued", null];
  return { status, substatus };
};
