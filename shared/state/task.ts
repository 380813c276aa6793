import { defineMachine } from "./machine.ts";

export type TaskState = "ready" | "delayed" | "running" | "committing" | "completed" | "failed";
export type TaskEvent = "assign" | "due" | "grant" | "complete" | "retry" | "lose" | "fail";

/**
 * ready: waits for a slot, or first for something outside the farm · delayed: waits for a retry's delay · running: an
 * attempt has it · committing: that attempt may publish · completed, failed: final.
 */
export const taskMachine = defineMachine<TaskState, TaskEvent>({
  ready: { assign: "running", retry: "delayed", fail: "failed" },
  delayed: { due: "ready", fail: "failed" },
  running: { grant: "committing", complete: "completed", retry: "delayed", lose: "ready", fail: "failed" },
  committing: { complete: "completed", retry: "delayed", lose: "ready", fail: "failed" },
  completed: {},
  failed: {},
});

/** The API's name of each state. */
export const taskStatus = {
  ready: "queued",
  delayed: "queued",
  running: "running",
  committing: "running",
  completed: "completed",
  failed: "failed",
} as const satisfies Record<TaskState, string>;
