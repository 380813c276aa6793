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

test("an agent tells the log of an attempt that is stopped, and of those that run when it is switched off", async () => {
  farm = await aFarm();
  const agent = await farm.start();
  await farm.coordinator.receive("hello");
  const [one, two] = [1, 2].map((nr) =>
    anAssignment({ root: farm.root, argv: ["hang", farm.path(`pid-${nr}`)], counter: nr }),
  );
  if (one) farm.coordinator.assign(one);
  await farm.coordinator.receive("progress");
  farm.coordinator.send({ type: "cancel", epoch: 1, fence: one?.fence ?? { epoch: 0, counter: 0 }, why: "enough" });
  expect(await farm.coordinator.receive("ended")).toMatchObject({
    fence: one?.fence,
    log: expect.stringContaining("hang"),
  });
  if (two) farm.coordinator.assign(two);
  await farm.coordinator.receive("progress", 1);
  await agent.stop();
  const types = farm.coordinator.received.map(({ type }) => type);
  expect(types.indexOf("goodbye")).toBeGreaterThan(types.lastIndexOf("ended"));
  expect(await farm.coordinator.receive("ended", 1)).toMatchObject({ fence: two?.fence });
});
