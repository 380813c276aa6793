import { describe, expect, test } from "vitest";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { aConnection, aCopy, aJob, aSource } from "../../helpers/farm/farm.ts";

/** The faults of a job as `path: message`. */
const faults = (job: Record<string, unknown>): string[] => {
  try {
    parseJob(job);
  } catch (problem) {
    expect(problem).toBeInstanceOf(AppError);
    const { code, details } = problem as AppError;
    expect(code).toBe("VALIDATION_FAILED");
    return details.map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
};

const paths = (job: Record<string, unknown>): string[] => faults(job).map((fault) => fault.split(": ")[0] ?? "");

const withElements = (...elements: unknown[]) => aJob({ payload: { elements } });

test("a job is read with its defaults", () => {
  const copy = { target: { location: { storage_provider: "file", path: "/out" } } };
  const source = { kind: "asset_url", payload: { storage_provider: "file", url: "file:///media/in.mov" } };
  const common = { tags: [], priority: undefined, retry: { count: 0, delaySec: 45 } };
  expect(parseJob(aJob())).toEqual({
    name: "a job",
    priority: 100,
    expirationMinutes: 43_200,
    userTag: null,
    tags: [],
    startAfter: null,
    isPaused: false,
    elements: [
      { uid: "src", kind: "source", name: "a job - src", payload: source, ...common },
      { uid: "copy", kind: "copy", name: "a job - copy", payload: copy, ...common },
    ],
    connections: [{ from: ["src"], success: ["copy"], error: [] }],
    warnings: [],
    needs: [],
  });
});

test("a missing payload of parts is told by its path", () => {
  expect(paths(withElements({ ...aSource(), kind: "soup" }))).toEqual(["payload.elements[0].kind"]);
  expect(paths(withElements({ kind: "source" }))).toEqual([
    "payload.elements[0].uid",
    "payload.elements[0].payload.kind",
  ]);
  expect(paths({})).toEqual(["name", "payload"]);
  expect(paths(aJob({ payload: {} }))).toEqual(["payload.elements"]);
  expect(paths(aJob({ payload: { elements: [] } }))).toEqual(["payload.elements"]);
  expect(paths(aJob({ payload: { elements: [aSource()], connections: [{ to: {} }] } }))).toEqual([
    "payload.connections[0].from",
  ]);
});

test("an element's own fields are checked to the last", () => {
  expect(paths(withElements(aCopy({ payload: { target: {} } })))).toEqual([
    "payload.elements[0].payload.target.location",
  ]);
  expect(paths(withElements(aSource({ payload: { kind: "asset_url", payload: {} } })))).toEqual([
    "payload.elements[0].payload.payload.url",
  ]);
});

test("a kind to come is accepted", () => {
  expect(faults(withElements({ uid: "n", kind: "notify", payload: { anything: 1 } }))).toEqual([]);
});

test("numbers may be written as texts", () => {
  const job = aJob({ priority: "7", expiration: "0", task_retry: { count: "2", delay_sec: "3" } });
  expect(parseJob(job)).toMatchObject({ priority: 7, expirationMinutes: 0 });
  expect(parseJob(job).elements[0]?.retry).toEqual({ count: 2, delaySec: 3 });
});

test.each([
  ["priority", [1, 254], [0, 255, 1.5, "high", null]],
  ["expiration", [0, 259_200], [-1, 259_201]],
  ["user_tag", ["", "x".repeat(192), null], ["x".repeat(193), 5]],
  ["name", ["x"], ["", 5, null]],
  ["definitions", [{}], [[], "x", null]],
  ["task_tags", [[], ["a"]], ["a", [1]]],
])("%s is taken up to its edges", (field, good, bad) => {
  expect(good.flatMap((value) => faults(aJob({ [field]: value })))).toEqual([]);
  for (const value of bad) expect(paths(aJob({ [field]: value }))[0]).toMatch(new RegExp(`^${field}`));
});

test("a payload that is a text is refused where no document is expected", () => {
  expect(faults(aJob({ payload: "<xml/>" }))).toEqual([
    "payload: must be a JSON object when schema is service, not a text",
  ]);
  for (const payload of ["no markup", { elements: [] }]) {
    expect(faults(aJob({ schema: "thirdparty", payload }))).toEqual([
      "payload: must be an XML document, serialized to one text, when schema is thirdparty",
    ]);
  }
  expect(faults(aJob({ schema: "servic" }))).toEqual([
    'schema: must be one of "service", "thirdparty", "api_test", not "servic"; did you mean "service"?',
  ]);
});

describe("the graph", () => {
  test("uids are unique", () => {
    expect(faults(withElements(aSource(), aSource()))).toEqual(['payload.elements[1].uid: "src" is used twice']);
  });

  test("every end of a connection exists", () => {
    const connections = [aConnection(["src", "x"], ["y"], ["z"])];
    expect(faults(aJob({ payload: { elements: [aSource()], connections } }))).toEqual([
      'payload.connections[0].from[1].element: there is no element with uid "x"',
      'payload.connections[0].to.success[0].element: there is no element with uid "y"',
      'payload.connections[0].to.error[0].element: there is no element with uid "z"',
    ]);
  });

  test("a circle is refused with its names", () => {
    const connections = [aConnection("src", ["copy"]), aConnection("copy", ["src"])];
    expect(faults(aJob({ payload: { elements: [aSource(), aCopy()], connections } }))).toEqual([
      "payload.connections: connections form a cycle: src -> copy -> src",
    ]);
  });

  test("all faults are told at once, the first in the message", () => {
    const job = withElements(aSource(), aSource(), aCopy({ task: { retry_method: "retry" } }));
    expect(() => parseJob(job)).toThrow('payload.elements[1].uid: "src" is used twice (and 1 more)');
  });
});

describe("retries", () => {
  const retryOf = (task: object, job: Record<string, unknown> = {}) =>
    parseJob({ ...withElements(aCopy({ task })), ...job }).elements[0]?.retry;
  const jobRetry = { task_retry: { count: 3, delay_sec: 10 } };

  test("without retry_method the job's apply", () => {
    expect(retryOf({}, jobRetry)).toEqual({ count: 3, delaySec: 10 });
    expect(retryOf({}, { "task_retry:count": 2, "task_retry:delay_sec": "5" })).toEqual({ count: 2, delaySec: 5 });
    expect(retryOf({}, { task_retry: { count: 1 } })).toEqual({ count: 1, delaySec: 45 });
    const mixed = { task_retry: { delay_sec: 9 }, "task_retry:count": 2, "task_retry:delay_sec": 5 };
    expect(retryOf({}, mixed)).toEqual({ count: 2, delaySec: 9 });
  });

  test("fail means never", () => {
    expect(retryOf({ retry_method: "fail" }, jobRetry)).toEqual({ count: 0, delaySec: 0 });
  });

  test("retry means the element's own, which it must have", () => {
    expect(retryOf({ retry_method: "retry", retry: { count: "5" } }, jobRetry)).toEqual({ count: 5, delaySec: 45 });
    expect(faults(withElements(aCopy({ task: { retry_method: "retry" } })))).toEqual([
      "payload.elements[0].task.retry: is required when retry_method is retry",
    ]);
  });

  test.each([
    [{ count: 6 }, "count"],
    [{ count: -2 }, "count"],
    [{ count: 1, delay_sec: 3601 }, "delay_sec"],
    [{ count: 1, delay_sec: -1 }, "delay_sec"],
    [{}, "count"],
  ])("%j is beyond the limits", (retry, field) => {
    expect(paths(withElements(aCopy({ task: { retry } })))).toEqual([`payload.elements[0].task.retry.${field}`]);
  });
});

test("tags of an element stand once each, those of the job beside them", () => {
  const job = { ...withElements(aCopy({ task: { tags: ["b", "a", ""] } })), task_tags: ["a", "c"] };
  expect(parseJob(job).elements[0]?.tags).toEqual(["b", "a"]);
  expect(parseJob(job).tags).toEqual(["a", "c"]);
});

test("an element's name is its task's, else its own, else made of the job's and its uid", () => {
  const names = [{ task: { name: "T" }, name: "N" }, { name: "N" }, { task: { name: "" } }].map(
    (changes) => parseJob(withElements(aCopy(changes))).elements[0]?.name,
  );
  expect(names).toEqual(["T", "N", "a job - copy"]);
});

test("unknown fields are kept and warned about", () => {
  const job = { ...withElements(aCopy({ colour: "red", task: { mood: 1 } })), mystery: true };
  expect(parseJob(job).warnings).toEqual([
    "mystery is not known and has no effect",
    "payload.elements[0].task.mood is not known and has no effect",
    "payload.elements[0].colour is not known and has no effect",
  ]);
});
