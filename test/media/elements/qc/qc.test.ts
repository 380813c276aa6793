import { expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { elementOf } from "../../../../media/elements/index.ts";
import { TaskError } from "../../../../shared/model/failure.ts";
import type { StepResults } from "../../../../shared/model/step-result.ts";

const element = elementOf("qc");
if (!element) throw new Error("there is no qc");

const events = [{ begin: 2, end: 9, duration_sec: 7 }];
const results: StepResults = {
  general: { kind: "analysis", value: { general_properties: { container: { size_kb: 9000 } } } },
  video: { kind: "analysis", value: { deep_properties: { video: { black: { events, max_sec: 7 } } } } },
};
const report = { create_condition: "on_failure", location: { path: "/reports" } };

const contextOf = (payload: object, more: Partial<PlanContext<unknown>> = {}): PlanContext<unknown> => ({
  ...{ uid: "qc", payload: element.payload.parse(payload), job: { id: 7, name: "Check" } },
  inputs: [{ version: "src", files: [{ uri: "file:///in/a.mov" }] }],
  factsOf: () => ({ size: 1, modified: 1, facts: { format: "mov", size: 9e6, video: [], audio: [], others: [] } }),
  analyses: [{ uid: "an", kind: "analyze", results }],
  ...more,
});
const tested = (condition: string, more: object = {}) => ({ tests: [{ conditions: [{ condition, ...more }] }] });

test("a test that holds passes, and its message is kept with what its braces name", () => {
  const payload = tested("general_properties.container.size_kb > 10", {
    message_pass: "size is {general_properties.container.size_kb} kB",
  });
  const plan = element.plan(contextOf(payload));
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("nothing was planned");
  const { steps } = element.compile(plan.tasks[0], contextOf(payload));
  const [first] = steps;
  const value = [
    { condition: "general_properties.container.size_kb > 10", outcome: "passed", message: "size is 9000 kB" },
  ];
  expect(first).toEqual({ do: "known", id: "verdicts", result: { kind: "verdicts", value } });
});

test("a test that does not hold fails the element with its message", () => {
  const condition = "deep_properties.video.black.events.size() == 0 || deep_properties.video.black.max_sec <= 5";
  const payload = tested(condition, { message_fail: "FAIL: black for {deep_properties.video.black.max_sec} s" });
  expect(() => element.plan(contextOf(payload))).toThrow("qc: FAIL: black for 7 s");
});

test("a check that fails keeps all its verdicts for people to see", () => {
  const payload = { tests: [{ conditions: [{ condition: "1 == 1" }, { condition: "1 == 2" }] }] };
  const problem = (() => {
    try {
      element.plan(contextOf(payload));
    } catch (error) {
      return error;
    }
  })();
  expect(problem).toBeInstanceOf(TaskError);
  const { results } = problem as TaskError; // it was just looked at
  expect(results?.verdicts?.value).toMatchObject([{ outcome: "passed" }, { outcome: "failed" }]);
});

test("a test that names what was not measured fails and names it", () => {
  expect(() => element.plan(contextOf(tested("deep_properties.audio[0].silence.max_sec < 5")))).toThrow(
    "nothing is known of deep_properties.audio[0].silence.max_sec",
  );
});

test("conditions are judged on the source; one under `fail` must not hold, one under `warn` only warns", () => {
  const conditions = {
    pass: [{ condition: "source.audio.length == 0" }],
    warn: [{ condition: "source.video.length == 1", message_fail: "no picture" }],
  };
  expect(element.plan(contextOf({ conditions }))).toMatchObject({ tasks: [{ uid: "qc" }] });
  const fail = [{ condition: "source.container.size_kb == 9000" }];
  expect(() => element.plan(contextOf({ conditions: { fail } }))).toThrow("source.container.size_kb == 9000");
});

test("a report of a failure is written before the element fails", () => {
  const payload = { ...tested("1 == 2"), report };
  expect(element.plan(contextOf(payload))).toMatchObject({ stage: "report", tasks: [{ uid: "qc_report" }] });
  expect(() => element.plan(contextOf(payload, { stageResults: () => ({}) }))).toThrow("1 == 2 does not hold");
});

test("a report on failure alone is not written where all holds", () => {
  expect(element.plan(contextOf({ ...tested("1 == 1"), report }))).toMatchObject({ tasks: [{ uid: "qc" }] });
});

test("a condition that is no expression is refused with a caret under the place", () => {
  const parsed = element.payload.safeParse(tested("general_properties. > 3"));
  expect(parsed.success).toBe(false);
  expect(parsed.error?.issues[0]?.message).toContain("^");
});
