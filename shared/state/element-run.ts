import { defineMachine } from "./machine.ts";

export type ElementRunState = "waiting" | "planning" | "running" | "succeeded" | "failed" | "skipped";
export type ElementRunEvent = "start" | "plan" | "succeed" | "fail" | "skip";

/**
 * waiting: its connections are not decided · planning: facts are being gathered · running: its tasks are running · the
 * rest: final.
 */
export const elementRunMachine = defineMachine<ElementRunState, ElementRunEvent>({
  waiting: { start: "planning", skip: "skipped", fail: "failed" },
  planning: { plan: "running", succeed: "succeeded", fail: "failed" },
  running: { succeed: "succeeded", fail: "failed" },
  succeeded: {},
  failed: {},
  skipped: {},
});
