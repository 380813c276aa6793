import { describe, expect, test } from "vitest";
import { createLinkStore, linkOf } from "../../../../renderer/data/link.ts";
import { createActionThrottle } from "../../../../renderer/data/throttle.ts";
import { checkJob } from "../../../../renderer/pages/submit/check.ts";
import { describeCounts, toSegments } from "../../../../renderer/ui/charts/segments.ts";
import {
  axisTime,
  bytes,
  clockTime,
  duration,
  shortTime,
  span,
  withShortTimes,
} from "../../../../renderer/ui/text/format.ts";
import { elementStateName, jobStateName, nodeStateName, taskStateName } from "../../../../shared/model/state-labels.ts";

describe("words for numbers", () => {
  test("spans, durations and sizes are short", () => {
    expect([-5, 900, 12_000, 90_000, 4_320_000, 3 * 86_400_000].map(span)).toEqual([
      "0 s",
      "0 s",
      "12 s",
      "1 min",
      "1 h 12",
      "3 d",
    ]);
    expect([165_000, 3_765_000, -1].map(duration)).toEqual(["2:45", "1:02:45", "0:00"]);
    expect([null, 0, 999, 1000, 31_200_000, 412_000_000_000].map(bytes)).toEqual([
      "–",
      "0 B",
      "999 B",
      "1.0 kB",
      "31.2 MB",
      "412 GB",
    ]);
  });

  test("an axis names a day where it begins, once", () => {
    const now = new Date(2026, 10, 21, 21, 10).getTime();
    const words = [22, 24, 26, 24 * 8].map((hour) => axisTime(new Date(2026, 10, 21, hour).getTime(), now));
    expect(words).toEqual(["22:00", "Sun", "02:00", "29 Nov"]);
  });

  test("times are local, of 24 hours, and name the day when it is another", () => {
    const at = new Date(2026, 10, 21, 14, 2, 11);
    expect(clockTime(at.getTime())).toBe("14:02:11");
    expect(shortTime(at.toISOString(), at.getTime())).toBe("14:02");
    expect(shortTime(at.toISOString(), at.getTime() + 86_400_000)).toBe("21 Nov 14:02");
    expect(shortTime(null, 0)).toBe("–");
    // Today ends at midnight, however often its times were written before.
    const [lastMinute, midnight] = [new Date(2026, 10, 21, 23, 59), new Date(2026, 10, 22)];
    expect(shortTime(lastMinute.toISOString(), lastMinute.getTime())).toBe("23:59");
    expect(shortTime(lastMinute.toISOString(), midnight.getTime())).toBe("21 Nov 23:59");
    expect(shortTime(midnight.toISOString(), midnight.getTime())).toBe("00:00");
    expect(shortTime(midnight.toISOString(), lastMinute.getTime())).toBe("Sun 00:00");
    const weekLater = new Date(2026, 10, 28, 14, 2).toISOString();
    expect(shortTime(weekLater, at.getTime())).toBe("28 Nov 14:02");
    const [now, then] = [at.getTime(), at.toISOString()];
    expect(withShortTimes(`It fails at ${then}, or at ${then}.`, now)).toBe("It fails at 14:02, or at 14:02.");
    expect(withShortTimes("Takes 2026 of 2026-11", now)).toBe("Takes 2026 of 2026-11");
  });
});

describe("a stacked bar", () => {
  test("goes from done to failed and leaves out what is not there", () => {
    expect(toSegments({ failed: 1, queued: 4, completed: 5 })).toEqual([
      { part: "completed", count: 5, share: 0.5 },
      { part: "queued", count: 4, share: 0.4 },
      { part: "failed", count: 1, share: 0.1 },
    ]);
    expect([describeCounts({ completed: 5, failed: 1 }), describeCounts({})]).toEqual([
      "5 completed, 1 failed",
      "nothing yet",
    ]);
  });
});

describe("states in words", () => {
  test("come from status and substatus", () => {
    const names = (
      [
        ["queued", "waiting"],
        ["active", "running"],
        ["active", "retrying"],
        ["active", "waiting"],
        ["completed", "handled_errors"],
        ["failed", null],
        ["failed", "stopped"],
      ] as const
    ).map(([status, substatus]) => jobStateName({ status, substatus }));
    expect(names).toEqual(["queued", "running", "retrying", "waiting", "handled", "failed", "stopped"]);
    expect(taskStateName({ status: "queued", error: "refused" })).toBe("retrying");
  });

  test("of what somebody stopped do not say that it failed", () => {
    expect(taskStateName({ status: "failed", error: "x", cause: "cancelled" })).toBe("stopped");
    expect(taskStateName({ status: "failed", error: "x", cause: "media" })).toBe("failed");
    expect(elementStateName({ state: "failed", failure: { cause: "cancelled" } })).toBe("stopped");
    expect(elementStateName({ state: "failed", failure: null })).toBe("failed");
  });

  test("of a node say first what needs a person", () => {
    const running = [{ task_id: "1", job_id: "1", name: "", progress: 0 }];
    const health = { state: "sound", until: null, why: null } as const;
    const quarantined = { ...health, state: "quarantined" } as const;
    expect(nodeStateName({ presence: "lost", state: "paused", health, running: [] })).toBe("lost");
    expect(nodeStateName({ presence: "online", state: "active", health: quarantined, running })).toBe("quarantined");
    expect(nodeStateName({ presence: "online", state: "drain", health, running })).toBe("draining");
    expect(nodeStateName({ presence: "online", state: "active", health, running })).toBe("working");
    expect(nodeStateName({ presence: "online", state: "active", health, running: [] })).toBe("idle");
  });
});

describe("the link to the coordinator", () => {
  test("is away once a request failed and nothing was heard for a while", () => {
    expect(linkOf(undefined, undefined, 0).state).toBe("connecting");
    expect(linkOf(undefined, 5, 5).state).toBe("away");
    expect(linkOf(1000, undefined, 60_000).state).toBe("live");
    expect(linkOf(1000, 2000, 3000).state).toBe("live");
    expect(linkOf(1000, 2000, 4000).state).toBe("away");
    expect(linkOf(3000, 2000, 9000).state).toBe("live");
  });

  test("returns with the first word", () => {
    let now = 1000;
    const store = createLinkStore(() => now);
    store.heard();
    now = 5000;
    store.failed();
    expect(store.link()).toEqual({ state: "away", heardAt: 1000 });
    store.heard();
    expect(store.link()).toEqual({ state: "live", heardAt: 5000 });
  });
});

test("times are the farm's where a computer's clock is another", () => {
  let now = 10_000_000;
  const store = createLinkStore(() => now);
  store.heard(10_002_000);
  expect([store.skew(), store.moment()]).toEqual([0, 10_000_000]);
  store.heard(6_400_000);
  expect([store.skew(), store.moment()]).toEqual([-3_600_000, 6_400_000]);
  now += 5000;
  store.failed();
  expect(store.link()).toEqual({ state: "away", heardAt: 6_400_000 });
  store.heard(6_405_000);
  expect(store.link()).toEqual({ state: "live", heardAt: 6_405_000 });
});

test("what is asked for often happens at once, and once more at the end", async () => {
  const done: number[] = [];
  const throttle = createActionThrottle(20);
  for (const at of [1, 2, 3]) throttle("list", () => void done.push(at));
  expect(done).toEqual([1]);
  await expect.poll(() => done).toEqual([1, 3]);
  throttle.stop();
});

describe("a job before it is sent", () => {
  test("is told its faults by path", () => {
    expect(checkJob(" ")).toEqual({ kind: "empty" });
    expect(checkJob("[]")).toEqual({ kind: "faulty", faults: [{ path: "", message: "must be a JSON object" }] });
    expect(checkJob("{")).toMatchObject({ kind: "faulty" });
    expect(checkJob(JSON.stringify({ name: "a", priority: 999, payload: { elements: [] } }))).toMatchObject({
      kind: "faulty",
      faults: [{ path: "priority" }],
    });
  });
});
