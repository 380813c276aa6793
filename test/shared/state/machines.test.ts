import { describe, expect, test } from "vitest";
import { attemptMachine } from "../../../shared/state/attempt.ts";
import { elementRunMachine } from "../../../shared/state/element-run.ts";
import { isFinal, type Machine, next, statesOf } from "../../../shared/state/machine.ts";
import { nodeHealthMachine, presenceOf } from "../../../shared/state/node.ts";
import { taskMachine, taskStatus } from "../../../shared/state/task.ts";

/** The whole machine as lines `state --event--> state`. */
const print = (machine: Machine<string, string>): string[] =>
  statesOf(machine).flatMap((state) => {
    const exits = Object.entries(machine[state] ?? {}).map(([event, to]) => `${state} --${event}--> ${to}`);
    return exits.length > 0 ? exits : [`${state} is final`];
  });

const printed = {
  task: [
    "ready --assign--> running",
    "ready --retry--> delayed",
    "ready --fail--> failed",
    "delayed --due--> ready",
    "delayed --fail--> failed",
    "running --grant--> committing",
    "running --complete--> completed",
    "running --retry--> delayed",
    "running --lose--> ready",
    "running --fail--> failed",
    "committing --complete--> completed",
    "committing --retry--> delayed",
    "committing --lose--> ready",
    "committing --fail--> failed",
    "completed is final",
    "failed is final",
  ],
  attempt: [
    "assigned --start--> running",
    "assigned --grant--> committing",
    "assigned --publish--> published",
    "assigned --fail--> failed",
    "assigned --lose--> lost",
    "assigned --cancel--> cancelled",
    "running --grant--> committing",
    "running --publish--> published",
    "running --fail--> failed",
    "running --lose--> lost",
    "running --cancel--> cancelled",
    "committing --grant--> committing",
    "committing --publish--> published",
    "committing --fail--> failed",
    "committing --lose--> lost",
    "committing --cancel--> cancelled",
    "published is final",
    "failed is final",
    "lost is final",
    "cancelled is final",
  ],
  elementRun: [
    "waiting --start--> planning",
    "waiting --skip--> skipped",
    "waiting --fail--> failed",
    "planning --plan--> running",
    "planning --succeed--> succeeded",
    "planning --fail--> failed",
    "running --succeed--> succeeded",
    "running --fail--> failed",
    "succeeded is final",
    "failed is final",
    "skipped is final",
  ],
  nodeHealth: [
    "sound --distrust--> quarantined",
    "sound --breach--> quarantined",
    "quarantined --due--> probation",
    "quarantined --forgive--> sound",
    "probation --succeed--> sound",
    "probation --fail--> quarantined",
    "probation --breach--> quarantined",
    "probation --forgive--> sound",
  ],
};

const machines: Record<keyof typeof printed, Machine<string, string>> = {
  task: taskMachine,
  attempt: attemptMachine,
  elementRun: elementRunMachine,
  nodeHealth: nodeHealthMachine,
};

describe.each(Object.keys(printed) as (keyof typeof printed)[])("the machine of a %s", (name) => {
  const machine = machines[name];
  const states = statesOf(machine);
  const events = [...new Set(states.flatMap((state) => Object.keys(machine[state] ?? {})))];

  test("has these transitions and no others", () => {
    expect(print(machine)).toEqual(printed[name]);
  });

  test.each(states.flatMap((state) => events.map((event) => [state, event] as const)))("%s and %s", (state, event) => {
    const line = printed[name].find((each) => each.startsWith(`${state} --${event}--> `));
    expect(next(machine, state, event)).toBe(line?.split("> ").at(-1));
  });

  test("is left nowhere once it is final, and ends from everywhere else", () => {
    for (const state of states) {
      expect(isFinal(machine, state)).toBe(printed[name].includes(`${state} is final`));
    }
  });
});

test("the API knows four states of a task", () => {
  expect(taskStatus).toEqual({
    ready: "queued",
    delayed: "queued",
    running: "running",
    committing: "running",
    completed: "completed",
    failed: "failed",
  });
});

test.each([
  [0, "online"],
  [9_999, "online"],
  [10_000, "late"],
  [29_999, "late"],
  [30_000, "lost"],
  [undefined, "lost"],
])("a node that is silent for %s ms is %s", (silentMs, presence) => {
  expect(presenceOf(silentMs, { lateMs: 10_000, lostMs: 30_000 })).toBe(presence);
});
