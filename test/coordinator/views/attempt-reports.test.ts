import { expect, test } from "vitest";
import {
  type AttemptFact,
  failureGroupsOf,
  lanesOf,
  throughputOf,
} from "../../../coordinator/views/attempt-reports.ts";

const now = Date.parse("2026-11-22T14:00:00.000Z");
const hour = 3_600_000;
const attempt = (hoursAgo: number, more: Partial<AttemptFact> = {}): AttemptFact => ({
  ...{ job_id: 1, node: "rack-01", state: "published", ended: now - hoursAgo * hour },
  ...{ task_state: "completed", cause: null, message: null },
  ...more,
});

test("throughput counts what ended well, in parts of half an hour", () => {
  const { parts, last_hour, hour_before } = throughputOf(
    [attempt(0.1), attempt(0.6), attempt(1.2), attempt(11.9), attempt(13), attempt(0.1, { state: "failed" })],
    now,
  );
  expect([last_hour, hour_before]).toEqual([2, 1]);
  expect(parts.map((count, at) => [count, at]).filter(([count]) => count !== 0)).toEqual([
    ...[
      [1, 0],
      [1, 21],
      [1, 22],
      [1, 23],
    ],
  ]);
});

test("failures that differ in names and numbers alone are one group, the largest first", () => {
  const failed = (message: string, more: Partial<AttemptFact> = {}) =>
    attempt(1, { state: "failed", task_state: "failed", cause: "source", message, ...more });
  const groups = failureGroupsOf(
    [
      failed("disk is full", { cause: "storage", node: "rack-02" }),
      failed("moov atom not found in /a/1.mov", { job_id: 2 }),
      failed("moov atom not found in /b/22.mov", { job_id: 3, task_state: "completed" }),
    ],
    now,
  );
  expect(
    groups.map(({ message, count, recovered, job_count, jobs }) => [message, count, recovered, job_count, jobs]),
  ).toEqual([
    ["moov atom not found in /b/22.mov", 2, 1, 2, ["2", "3"]],
    ["disk is full", 1, 0, 1, ["1"]],
  ]);
});

test("attempts of one node stand in as few lanes as hold them", () => {
  const bars = [
    { assigned: 0, ended: 10 },
    { assigned: 2, ended: 8 },
    { assigned: 8, ended: null },
    { assigned: 10, ended: 20 },
  ];
  expect(lanesOf(bars)).toEqual([0, 1, 1, 0]);
});
