import { afterEach, expect, test } from "vitest";
import { aFarm, anAssignment, type Farm } from "../../helpers/agent/agent-fixture.ts";

let farm: Farm;
afterEach(() => farm.end());

test("an agent tells an attempt's log as long as somebody looks, and says nothing of it before", async () => {
  farm = await aFarm();
  await farm.start();
  await farm.coordinator.receive("hello");
  const assignment = anAssignment({ root: farm.root, argv: ["hang", farm.path("pid")] });
  farm.coordinator.assign(assignment);
  await farm.coordinator.receive("progress");
  expect(farm.coordinator.received.some(({ type }) => type === "log")).toBe(false);
  const { fence } = assignment;
  farm.coordinator.send({ type: "watch_log", epoch: 1, fence, from: 0, forMs: 60_000 });
  expect(await farm.coordinator.receive("log")).toMatchObject({ fence, from: 0, left: 0 });
  farm.coordinator.send({ type: "watch_log", epoch: 1, fence, from: 2, forMs: 60_000 });
  const again = await farm.coordinator.receive("log", 1);
  expect([again.from, again.text.startsWith("ffmpeg hang")]).toEqual([2, true]);
  farm.coordinator.send({ type: "cancel", epoch: 1, fence, why: "enough" });
});
