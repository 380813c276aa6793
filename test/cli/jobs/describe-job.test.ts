import { expect, test } from "vitest";
import { describeJob } from "../../../cli/jobs/describe-job.ts";
import type { JobView, ViewedTask } from "../../../cli/jobs/job-view.ts";

const now = Date.parse("2026-11-01T12:00:00Z");

const aView = (more: Partial<JobView>): JobView => ({
  // The fields that the description reads.
  job: {
    id: "7",
    name: "dailies",
    status: "active",
    progress: 0,
    priority: 100,
    creation_time: "2026-11-01T11:00:00Z",
    end_time: null,
    owner: null,
    parent_id: null,
  } as JobView["job"],
  elements: [],
  outputs: [],
  listed: [],
  watches: [],
  errors: [],
  warnings: [],
  ...more,
});

const linesOf = (view: JobView): string[] =>
  describeJob(view, { paint: (_, text) => text, width: 200 }, now).split("\n");

test("a job with a watched folder says what it saw, took and waits for", () => {
  const watch = {
    element_uid: "watch",
    folder: "file:///in/two%20words",
    interval_sec: 300,
    is_watching: true,
    summary: "2 taken, 1 may still grow",
    last_look: "2026-11-01T11:59:00Z",
    next_look: null,
    counts: { existing: 0, taken: 2, refused: 1, waiting: 1 },
    waiting: [{ uri: "file:///in/c.mov", size: 5, why: "it was just written to" }],
    files: [
      { uri: "file:///in/b.mov", taken: "2026-11-01T11:58:00Z", job_id: "9", problem: null },
      { uri: "file:///in/a.mov", taken: "2026-11-01T11:57:00Z", job_id: null, problem: "it has no name" },
    ],
  };
  const lines = linesOf(aView({ watches: [watch] }));
  const at = lines.indexOf("Watched");
  expect(lines.slice(at, at + 5)).toEqual([
    "Watched",
    "  watch: /in/two words: 2 taken, 1 may still grow, looked 60 s ago",
    "    waits: c.mov, it was just written to",
    "    b.mov: job 9",
    "    a.mov: began no job: it has no name",
  ]);
});

test("a folder whose address cannot be decoded is shown as it is", () => {
  const outputs = [{ url: "file:///in/100%/a.mov", size: 1000 }];
  expect(linesOf(aView({ outputs }))).toContain("  /in/100%/a.mov  1 kB");
});

test("a job that enumerates folders says how much they held", () => {
  const listed = [
    { element: "clips", files: 5000, bytes: 12_000_000 },
    { element: "one", files: 1, bytes: 1000 },
  ];
  const lines = linesOf(aView({ listed }));
  const at = lines.indexOf("Listed");
  expect(lines.slice(at, at + 3)).toEqual(["Listed", "  clips: 5000 files, 12.0 MB", "  one: 1 file, 1 kB"]);
});

const nextSteps = (view: JobView): string | undefined => linesOf(view).findLast((line) => line !== "");
const inState = (substatus: string | null, more: Partial<JobView> = {}): JobView =>
  aView({ ...more, job: { ...aView({}).job, substatus } as JobView["job"] });

test("an open job's next steps fit its state", () => {
  const stop = "     Stop it: mediafarm stop 7";
  expect(["running", "waiting", "paused", "scheduled"].map((each) => nextSteps(inState(each)))).toEqual([
    `Watch it: mediafarm job 7 --wait${stop}`,
    `Watch it: mediafarm job 7 --wait${stop}`,
    `Resume it: mediafarm resume 7${stop}`,
    `Resume it: mediafarm resume 7${stop}`,
  ]);
  const task = { id: "33", status: "queued", progress: 0, name: "dailies - t" } as ViewedTask; // the fields that are read
  expect(nextSteps(inState("waiting", { elements: [{ uid: "t", kind: "transcode", tasks: [task] }] }))).toBe(
    `Watch it: mediafarm job 7 --wait     Why it waits: mediafarm explain 33${stop}`,
  );
});

test("a job that failed can be retried, unless the job itself has to change", () => {
  const failed = (cause: string) => {
    const error = { task_id: "8", cause, message: "it broke", advice: null, recovered: false };
    return nextSteps(aView({ job: { ...aView({}).job, end_time: "2026-11-01T11:30:00Z" }, errors: [error] }));
  };
  expect(failed("storage")).toBe("Tool output: mediafarm logs 8     Run what failed again: mediafarm retry 7");
  expect(failed("definition")).toBe("Tool output: mediafarm logs 8");
});
