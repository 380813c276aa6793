import { expect, test } from "vitest";
import { preferredTask } from "../../../../renderer/pages/job/preferred-task.ts";

const done = { id: "done", status: "completed", cause: null, node: "one" } as const;
const running = { id: "running", status: "running", cause: null, node: "one" } as const;
const failed = { id: "failed", status: "failed", cause: "media", node: "one" } as const;
const neverBegun = { id: "never begun", status: "failed", cause: "cancelled", node: null } as const;
const stopped = { id: "stopped", status: "failed", cause: "cancelled", node: "one" } as const;

test.each([
  ["one that failed, before one that runs", [done, running, failed], "failed"],
  ["one that runs, before one that was stopped", [stopped, running, done], "running"],
  ["of a stopped job the one that ran, whose log tells why", [done, neverBegun, stopped], "stopped"],
  ["the last, where all is well", [{ ...done, id: "probe" }, done], "done"],
] as const)("people first see the log of %s", (_, tasks, expected) => {
  expect(preferredTask<(typeof tasks)[number]>(tasks)?.id).toBe(expected);
});

test("a job without tasks has none to show", () => expect(preferredTask([])).toBeUndefined());
