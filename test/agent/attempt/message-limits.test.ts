import { writeFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { acceptableReport } from "../../../agent/attempt/message-limits.ts";
import type { Report } from "../../../shared/protocol/messages.ts";
import { aFarm, anAssignment, type Farm, fenceOf } from "../../helpers/agent/agent-fixture.ts";

const aReport = (outcome: Report["outcome"]): Report => ({
  fence: fenceOf(1),
  taskId: 1,
  outcome,
  stats: { wallMs: 5, cpuMs: 2 },
  log: "$ ffprobe",
});
const published = (uri: string, size = 1): Report["outcome"] => ({
  outcome: "published",
  published: { outputs: { main: [{ uri, size }] }, found: {} },
});

test("a report that the coordinator can store is left as it is", () => {
  const report = aReport(published("file:///a"));
  expect(acceptableReport(report)).toBe(report);
});

test("a report that it would refuse becomes a failure that says why", () => {
  const failed = (message: string): Report => ({
    ...aReport({ outcome: "failed", failure: { cause: "media", message } }),
    stats: { wallMs: 5 },
  });
  const begin = "The result of this task does not fit in a message to the coordinator: ";
  expect(acceptableReport(aReport(published("file:///a", 0.5)))).toEqual(
    failed(`${begin}report.outcome.published.outputs.main.0.size: Invalid input: expected int, received number`),
  );
  expect(acceptableReport(aReport(published("\u0001".repeat(3_000_000))))).toEqual(
    failed(`${begin}it has 18000220 bytes, and 16777216 are the limit`),
  );
});

test("a failure that does not fit keeps its cause and its words", () => {
  const failure = { cause: "storage", message: "disk full", argv: Array.from({ length: 4001 }, () => "x") } as const;
  expect(acceptableReport(aReport({ outcome: "failed", failure })).outcome).toEqual({
    outcome: "failed",
    failure: { cause: "storage", message: "disk full" },
  });
});

let farm: Farm | undefined;
afterEach(() => farm?.end());

test("facts that fit no message fail their attempt, and the node's other tasks are finished", async () => {
  farm = await aFarm();
  await writeFile(farm.path("in.mp4"), "OggS\0\x02crooked");
  await farm.start();
  await farm.coordinator.receive("hello");
  const work = { outputs: {}, steps: [{ do: "probe" as const, id: "probe", asset: "in" }] };
  farm.coordinator.assign(anAssignment({ root: farm.root, work }));
  farm.coordinator.assign(anAssignment({ root: farm.root, counter: 2 }));
  const message = expect.stringMatching(/cannot read the output of ffprobe(?:.|\n)*width/);
  expect((await farm.coordinator.reportOf(fenceOf(1))).outcome).toEqual({
    outcome: "failed",
    failure: { cause: "source", message },
  });
  expect((await farm.coordinator.reportOf(fenceOf(2))).outcome.outcome).toBe("published");
});

test("an output whose facts fit no message is not published", async () => {
  farm = await aFarm();
  await farm.start();
  await farm.coordinator.receive("hello");
  const expected = { video: { codec: "h264" } };
  farm.coordinator.assign(anAssignment({ root: farm.root, argv: ["write", "crooked"], output: { expect: expected } }));
  const { outcome } = await farm.coordinator.reportOf(fenceOf(1));
  expect(outcome).toMatchObject({
    failure: { message: expect.stringContaining("width") },
  });
  expect(await farm.list()).toEqual([]);
});
