import { expect, test } from "vitest";
import { hasEnded } from "../../../media/instances/graph.ts";
import { restoreGraph } from "../../../media/instances/restore.ts";
import { buildShape } from "../../../media/instances/shape.ts";
import { unhandledOf } from "../../../media/instances/unhandled-failures.ts";
import type { ElementRunState } from "../../../shared/state/element-run.ts";
import { type JobView, jobState } from "../../../shared/state/job.ts";
import type { TaskState } from "../../../shared/state/task.ts";

const shape = buildShape(
  ["a", "b", "c"].map((uid) => ({ uid, enumerates: false, effort: 10 })),
  [{ from: ["a"], success: ["b"], error: ["c"] }],
);

/** Elements a, b, c in these states, `a` leading to `b` or, when it fails, to `c`. */
const aView = (states: string, tasks: TaskState[] = [], changes: Partial<JobView> = {}): JobView => {
  const moves = new Map(states.split(" ").map((state, index) => ["abc"[index], state as ElementRunState]));
  const graph = restoreGraph(shape, ({ uid }) => {
    const state = moves.get(uid);
    return state && state !== "waiting" ? { state } : undefined;
  });
  return {
    ...{ isStopped: false, hasStarted: false, held: null, hasEnded: hasEnded(graph), elements: graph.counts },
    unhandled: unhandledOf(shape, graph.root).count,
    tasks: new Map(tasks.map((state) => [state, 1])),
    ...changes,
  };
};

const paused = { held: "paused" } as const;
const scheduled = { held: "scheduled" } as const;

test.each<[string, JobView, string]>([
  ["that nobody began waits", aView("planning waiting waiting", ["ready"]), "queued waiting"],
  ["without tasks yet waits", aView("waiting waiting waiting"), "queued waiting"],
  ["with a running task runs", aView("running waiting waiting", ["running", "ready"]), "active running"],
  ["with a task that publishes runs", aView("running waiting waiting", ["committing"]), "active running"],
  ["whose only open task waits out a delay retries", aView("running waiting waiting", ["delayed"]), "active retrying"],
  ["that runs and retries runs", aView("running waiting waiting", ["delayed", "running"]), "active running"],
  ["between two tasks waits, active", aView("succeeded planning waiting", ["completed", "ready"]), "active waiting"],
  ["all of which succeeded is completed", aView("succeeded succeeded skipped", ["completed"]), "completed null"],
  ["all of which was skipped is completed", aView("skipped skipped skipped"), "completed null"],
  ["whose failure nobody handles fails", aView("failed skipped failed", ["failed"]), "failed null"],
  ["whose failure was handled completes", aView("failed skipped succeeded", ["failed"]), "completed handled_errors"],
  ["whose handler still runs is active", aView("failed skipped running", ["failed", "running"]), "active running"],
  ["whose handler was skipped fails", aView("failed skipped skipped", ["failed"]), "failed null"],
  [
    "whose only task waits to be tried again is active",
    aView("planning waiting waiting", ["ready"], { hasStarted: true }),
    "active waiting",
  ],
  ["that is paused before it began is queued", aView("planning waiting waiting", ["ready"], paused), "queued paused"],
  [
    "that is paused is so while its last task runs",
    aView("running waiting waiting", ["running"], paused),
    "active paused",
  ],
  ["that is to start later is queued", aView("planning waiting waiting", ["ready"], scheduled), "queued scheduled"],
  [
    "that had begun and is to go on later is active",
    aView("succeeded planning waiting", ["completed", "ready"], scheduled),
    "active scheduled",
  ],
  ["that ended while it was paused is completed", aView("succeeded succeeded skipped", [], paused), "completed null"],
  [
    "that was stopped failed, whatever is left of it",
    aView("running waiting waiting", ["running"], { isStopped: true }),
    "failed stopped",
  ],
  [
    "stopped after it was done stays stopped",
    aView("succeeded succeeded skipped", [], { isStopped: true }),
    "failed stopped",
  ],
])("a job %s", (_, view, expected) => {
  const { status, substatus } = jobState(view);
  expect(`${status} ${substatus}`).toBe(expected);
});
