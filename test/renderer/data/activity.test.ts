import { describe, expect, test } from "vitest";
import { describeActivity, finishWords } from "../../../renderer/data/activity.ts";
import type { ActivityEntry } from "../../../shared/api/job-view.ts";

const at = (hour: number, minute: number, day = 22): string => new Date(2026, 10, day, hour, minute).toISOString();
const now = Date.parse(at(14, 0));
const quiet: ActivityEntry = { running: null, waiting: null, retry: null, held: null, last_action: null };
const job = (more: object) => ({
  ...{ status: "active" as const, substatus: "running", error: null, start_time: at(13, 0), end_time: null },
  ...{
    happening: quiet,
    finish: null,
    turn: null,
    task_counts: { queued: 2, running: 0, completed: 0, failed: 0, stopped: 0 },
  },
  ...more,
});
const entry = (action: "stop" | "pause", note: string | null) => ({
  ...{ at: at(13, 5), who: "Jonas", action, job_id: "1", node_id: null, note },
});
const said = (more: object) => describeActivity(job(more), now).text;

describe("what is happening says the thing itself", () => {
  test("of a job that runs: tasks, node and speed", () => {
    const one = { tasks: 1, nodes: ["rack-01"], node_count: 1, speed: 2.04 };
    const many = { tasks: 12, nodes: ["rack-01", "rack-02"], node_count: 4, speed: null };
    expect(said({ happening: { ...quiet, running: one } })).toBe("1 task on rack-01, 2.0× real time");
    expect(said({ happening: { ...quiet, running: many } })).toBe("12 tasks on 4 nodes");
  });

  test("of a job that waits: the reason, and which task to ask about", () => {
    const waiting = { task_id: "7", message: `Its job starts after ${at(20, 0)}`, parts: [] };
    expect(describeActivity(job({ substatus: "waiting", happening: { ...quiet, waiting } }), now)).toEqual({
      ...{ text: "Its job starts after 20:00", tone: "plain", whyTask: "7" },
    });
  });

  test("of a job that is tried again: why, which try, and when", () => {
    const retry = { at: at(14, 41), nr: 2, of: 3, message: "uploads refused (S3 503)" };
    expect(said({ substatus: "retrying", happening: { ...quiet, retry } })).toBe(
      "uploads refused (S3 503); retry 2 of 3 at 14:41",
    );
  });

  test("of a job that somebody paused or stopped: who, when and why", () => {
    const held = { since: at(13, 5), until: null };
    expect(
      said({ substatus: "paused", happening: { ...quiet, held, last_action: entry("pause", "new end card comes") } }),
    ).toBe("Paused by Jonas 13:05: “new end card comes”");
    const stopped = { status: "failed", substatus: "stopped", error: "Stopped", end_time: at(13, 5) };
    expect(said({ ...stopped, happening: { ...quiet, last_action: entry("stop", null) } })).toBe(
      "Stopped by Jonas 13:05",
    );
  });

  test("of a job that failed: the useful end of its error", () => {
    const error = "transcode: ffmpeg ended with status 1\n[mov @ 0x55d0c8] moov atom not found\nConversion failed!";
    expect(said({ status: "failed", substatus: null, error, end_time: at(13, 5) })).toBe("moov atom not found");
    const ofRun = "transcode#3.0: moov atom not found in 004.mov";
    expect(said({ status: "failed", substatus: null, error: ofRun, end_time: at(13, 5) })).toBe(
      "moov atom not found in 004.mov",
    );
  });

  test("of a job that is done: how long it took", () => {
    expect(said({ status: "completed", substatus: null, end_time: at(13, 3) })).toBe("Took 3:00");
  });
});

test("an end is a range of times, or of days", () => {
  const range = (from: string, to: string) => finishWords({ from, likely: from, to }, now);
  expect([
    range(at(14, 58), at(15, 10)),
    range(at(14, 58), at(14, 58)),
    range(at(23, 0), at(3, 0, 23)),
    range(at(3, 0, 23), at(9, 0, 23)),
    range(at(3, 0, 31), at(9, 0, 31)),
    finishWords(null, now),
  ]).toEqual(["14:58–15:10", "14:58", "23:00–Mon", "Mon 03:00–09:00", "1 Dec 03:00–09:00", "–"]);
});
