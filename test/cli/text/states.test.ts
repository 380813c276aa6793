import { expect, test } from "vitest";
import { noPaint, paintFor } from "../../../cli/text/paint.ts";
import { stateText } from "../../../cli/text/states.ts";
import { widthOf } from "../../../cli/text/width.ts";
import { jobStateName, nodeStateName, type StateName, states } from "../../../shared/model/state-labels.ts";
import { jobStatuses, jobSubstatuses } from "../../../shared/state/job.ts";

test("every state a job can have has a look, and its glyph takes one column", () => {
  for (const status of jobStatuses)
    for (const substatus of [null, ...jobSubstatuses])
      expect(states[jobStateName({ status, substatus })].word).toBeTruthy();
  for (const state of Object.keys(states) as StateName[]) // Object.keys forgets the literal names
    expect(widthOf(stateText(state).split(" ")[0] ?? "")).toBe(1);
});

test.each([
  ["queued", "waiting", "○ Queued"],
  ["active", "running", "▶ Running"],
  ["active", "retrying", "↻ Retrying"],
  ["active", "paused", "‖ Paused"],
  ["queued", "scheduled", "◷ Scheduled"],
  ["active", "waiting", "⧖ Waiting"],
  ["completed", null, "✓ Completed"],
  ["completed", "handled_errors", "✓ Errors handled"],
  ["failed", null, "✕ Failed"],
  ["failed", "stopped", "■ Stopped"],
] as const)("a job that is %s, %s reads %s", (status, substatus, text) => {
  expect(stateText(jobStateName({ status, substatus }))).toBe(text);
});

const running = [{ task_id: "1", job_id: "1", name: "a", progress: 0 }];
test.each([
  ["lost", "drain", "quarantined", [], "Lost"],
  ["late", "active", "sound", running, "Late"],
  ["online", "active", "quarantined", [], "Quarantined"],
  ["online", "paused", "sound", running, "Paused"],
  ["online", "drain", "probation", running, "Draining"],
  ["online", "active", "probation", running, "On probation"],
  ["online", "active", "sound", running, "Working"],
  ["online", "active", "sound", [], "Idle"],
] as const)("a node that is %s, %s and %s reads as such", (presence, state, health, tasks, word) => {
  const trust = { state: health, until: null, why: null };
  expect(states[nodeStateName({ presence, state, health: trust, running: [...tasks] })].word).toBe(word);
});

test("colours are for terminals whose user did not ask to be spared them", () => {
  expect(paintFor(true, {})("bad", "x")).toBe("\x1b[31mx\x1b[0m");
  for (const paint of [paintFor(false, {}), paintFor(true, { NO_COLOR: "1" }), paintFor(true, { TERM: "dumb" })])
    expect(paint).toBe(noPaint);
});
