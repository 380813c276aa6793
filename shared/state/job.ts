import { type GraphConnection, type GraphElement, isHandled } from "../graph.ts";
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

export type JobView = {
  readonly isStopped: boolean;
  /** A task of it has been given to a node before. */
  readonly hasStarted: boolean;
  /** Why none of its tasks may start now, if so. */
  readonly held: "paused" | "scheduled" | null;
  readonly elements: readonly GraphElement[];
  readonly connections: readonly GraphConnection[];
  readonly tasks: readonly TaskState[];
};

type Rule = readonly [JobStatus, JobSubstatus, (view: JobView) => boolean];

const someTask = (view: JobView, ...states: TaskState[]) => view.tasks.some((state) => states.includes(state));
const hasEnded = ({ elements }: JobView) =>
  elements.every(({ state }) => state === "succeeded" || state === "failed" || state === "skipped");
const failures = ({ elements }: JobView) => elements.filter(({ state }) => state === "failed");
const hasUnhandled = (view: JobView) =>
  failures(view).some(({ uid }) => !isHandled(uid, view.elements, view.connections));
const hasBegun = (view: JobView) =>
  view.hasStarted ||
  someTask(view, "running", "committing", "completed", "failed", "delayed") ||
  view.elements.some(({ state }) => state === "succeeded" || state === "failed");

/** A job's state is derived: the first rule that applies wins. */
const rules: readonly Rule[] = [
  ["failed", "stopped", (view) => view.isStopped],
  ["failed", null, (view) => hasEnded(view) && hasUnhandled(view)],
  ["completed", "handled_errors", (view) => hasEnded(view) && failures(view).length > 0],
  ["completed", null, hasEnded],
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
