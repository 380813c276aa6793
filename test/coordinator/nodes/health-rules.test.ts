import { describe, expect, test } from "vitest";
import {
  afterElsewhere,
  afterEnding,
  avoidedBy,
  isDistrusted,
  quarantineAfter,
  unknownReputation,
} from "../../../coordinator/nodes/health/health-rules.ts";
import type { Ending } from "../../../shared/model/attempt.ts";
import type { Cause } from "../../../shared/model/failure.ts";

const ending = (nodeId: number, cause: Cause | undefined, more: Partial<Ending> = {}): Ending => ({
  nodeId,
  cause,
  jobId: 1,
  taskId: 1,
  sender: null,
  at: 0,
  ...more,
});
const reputation = (...endings: Ending[]) => endings.reduce(afterEnding, unknownReputation);

describe("a task avoids a node", () => {
  test("on which it failed for a cause that calls for another one", () => {
    const failures = [ending(5, "storage"), ending(2, "resources"), ending(3, "media")];
    expect(avoidedBy(1, failures)).toEqual([2, 5]);
  });

  test("on which its job failed three times for causes that blame the node", () => {
    const failures = [2, 3, 4].map((taskId) => ending(7, "machine", { taskId }));
    expect(avoidedBy(1, failures)).toEqual([7]);
    expect(avoidedBy(1, failures.slice(1))).toEqual([]);
    expect(avoidedBy(2, failures.slice(0, 1))).toEqual([7]);
  });

  test("never because the media is bad", () => {
    expect(avoidedBy(9, [ending(1, "media"), ending(1, "source"), ending(1, "definition")])).toEqual([]);
  });
});

describe("a node is distrusted", () => {
  const failing = [1, 2, 3, 4].map((jobId) => ending(1, "machine", { jobId, at: 10 * jobId }));
  const succeeded = (at: number) => reputation(ending(2, undefined, { at }));

  test("when it failed four times in a row, for two jobs, while another one succeeded", () => {
    expect(isDistrusted(reputation(...failing), [succeeded(15)])).toBe(true);
  });

  test.each<[string, Ending[], Ending[]]>([
    ["it succeeded in between", [...failing.slice(0, 3), ending(1, undefined), ...failing.slice(3)], []],
    ["it failed three times only", failing.slice(1), []],
    ["it was one job's tasks that failed", failing.map((each) => ({ ...each, jobId: 1 })), []],
    ["the media was bad", failing.map((each) => ({ ...each, cause: "media" as const })), []],
  ])("not when %s", (_, endings) => {
    expect(isDistrusted(reputation(...endings), [succeeded(100)])).toBe(false);
  });

  const doneFor = (sender: string, at: number) => reputation(ending(2, undefined, { sender, at }));
  const oneSenders = failing.map((each) => ({ ...each, sender: "mallory" }));
  const twoSenders = [...oneSenders.slice(1), ending(1, "machine", { jobId: 5, sender: "alice", at: 50 })];

  test.each<[string, Ending[], string, boolean]>([
    ["not when one sender's jobs fail and others' do well elsewhere", oneSenders, "alice", false],
    ["when one sender's jobs fail and do well elsewhere, and nobody else's run", oneSenders, "mallory", true],
    ["when two senders' jobs fail", twoSenders, "alice", true],
  ])("%s", (_, endings, sender, wanted) => {
    expect(isDistrusted(reputation(...endings), [doneFor(sender, 30)])).toBe(wanted);
  });

  test("not when others' jobs did well elsewhere before the one sender's did so too", () => {
    const both = reputation(
      ...["alice", "mallory", "mallory"].map((sender) => ending(2, undefined, { sender, at: 30 })),
    );
    expect(isDistrusted(reputation(...oneSenders), [both])).toBe(false);
  });

  test.each([
    [1, false],
    [2, true],
  ])("when %i of one sender's tasks went well elsewhere: %s", (count, wanted) => {
    const failed = reputation(...oneSenders);
    const seen = oneSenders.slice(0, count).reduce<typeof failed>(afterElsewhere, failed);
    expect(isDistrusted(seen, [doneFor("alice", 30)])).toBe(wanted);
  });

  test("not when no other node has succeeded since it began to fail", () => {
    expect(isDistrusted(reputation(...failing), [succeeded(9), unknownReputation])).toBe(false);
    expect(isDistrusted(reputation(...failing), [])).toBe(false);
  });
});

test("a quarantine lasts ten minutes, twice as long when it follows within a day, four hours at most", () => {
  const minute = 60_000;
  const minutes = (strikes: number, since: number | null, now: number) => {
    const { until, ...rest } = quarantineAfter(strikes, since, now);
    return [rest.strikes, (until - now) / minute];
  };
  expect(minutes(0, null, 0)).toEqual([1, 10]);
  expect(minutes(1, 0, 60 * minute)).toEqual([2, 20]);
  expect(minutes(4, 0, 60 * minute)).toEqual([5, 160]);
  expect(minutes(9, 0, 60 * minute)).toEqual([10, 240]);
  expect(minutes(9, 0, 24 * 60 * minute)).toEqual([1, 10]);
});
