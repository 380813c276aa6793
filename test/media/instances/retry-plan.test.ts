import { describe, expect, test } from "vitest";
import { planRetry, type RetryJob } from "../../../media/instances/retry-plan.ts";
import { buildShape } from "../../../media/instances/shape.ts";
import type { Cause } from "../../../shared/model/failure.ts";
import type { GraphConnection } from "../../../shared/model/job-graph.ts";
import type { ElementRunState } from "../../../shared/state/element-run.ts";

const run = (uid: string, state: ElementRunState, kind = "copy", path = "") => ({ uid, path, kind, state });
const task = (id: number, element_uid: string, cause?: Cause, attempt: number | null = id) => ({
  id,
  element_uid,
  path: "",
  purpose: "work" as const,
  state: cause ? ("failed" as const) : ("completed" as const),
  attempt,
  failure: cause && { cause },
});
const edge = (from: string, success: string[], error: string[] = []) => ({ from: [from], success, error });
const wish = { scope: "failed", taskIds: [], replan: undefined } as const;

const shapeWith = (connections: GraphConnection[], enumerations: string[] = []) =>
  buildShape(
    ["src", "all", "video", "copy", "tell", "audio"].map((uid) => ({
      ...{ uid, enumerates: enumerations.includes(uid), effort: 10 },
    })),
    connections,
  );
const once = (...uids: string[]) => uids.map((uid) => ({ uid, path: "" }));

const job = (cause: Cause, changes: Partial<RetryJob> = {}): RetryJob => ({
  runs: [run("src", "succeeded", "source"), run("video", "failed"), run("copy", "skipped"), run("tell", "succeeded")],
  shape: shapeWith([edge("src", ["video"]), edge("video", ["copy"], ["tell"])]),
  tasks: [task(1, "src"), task(2, "video"), task(3, "video", cause), task(4, "video", "cancelled")],
  ...changes,
});

describe("a retry", () => {
  test("queues the failed tasks of an element together, and lets what was skipped behind it wait again", () => {
    expect(planRetry(job("machine"), wish)).toEqual({
      requeue: [3, 4],
      reopen: [{ uid: "video", path: "", to: "running" }],
      forget: once("copy"),
    });
  });

  test("plans again from the source where the source was the cause", () => {
    expect(planRetry(job("source"), wish)).toEqual({ requeue: [], reopen: [], forget: once("src", "video", "copy") });
  });

  test("keeps the plan where that is asked for", () => {
    expect(planRetry(job("source"), { ...wish, replan: false }).requeue).toEqual([3, 4]);
  });

  test("plans again what failed before anybody tried it", () => {
    const never = job("capability", { tasks: [task(3, "video", "capability", null)] });
    expect(planRetry(never, wish)).toEqual({ requeue: [], reopen: [], forget: once("video", "copy") });
  });

  test("of one task leaves other failed elements as they are", () => {
    const two = job("machine", {
      runs: [run("video", "failed"), run("audio", "failed")],
      shape: shapeWith([]),
      tasks: [task(3, "video", "machine"), task(5, "audio", "machine")],
    });
    expect(planRetry(two, { ...wish, taskIds: [5] })).toEqual({
      requeue: [5],
      reopen: [{ uid: "audio", path: "", to: "running" }],
      forget: [],
    });
  });

  test("of all forgets every element", () => {
    expect(planRetry(job("machine"), { ...wish, scope: "all" }).forget).toMatchObject(
      once("src", "video", "copy", "tell"),
    );
  });

  test("of a job without failures changes nothing", () => {
    const fine = job("machine", { runs: [run("src", "succeeded", "source")], tasks: [task(1, "src")] });
    expect(planRetry(fine, wish)).toEqual({ requeue: [], reopen: [], forget: [] });
  });
});
