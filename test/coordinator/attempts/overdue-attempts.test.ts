import { expect, test } from "vitest";
import { takeMessage } from "../../../coordinator/connections/messages.ts";
import { mostSuspendedMs } from "../../../coordinator/nodes/presence.ts";
import { aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { stored } from "../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, pass, restart } = useFarm();

/** A probe may take an hour; its node is believed for one more minute. */
const tooLongSec = 3600 + 60;

test("an attempt whose node never says that it ended fails once it is long overdue, and is given out anew", async () => {
  const node = await world().node({ slots: 1 });
  const jobId = await submit(withRetry(1));
  const probe = await node.assigned();
  expect(probe.limits).toEqual({ stallMs: 600_000, hardMs: 3_600_000 });
  await pass(node, tooLongSec - 1);
  expect(farm().registry.runningOn(node.id)).toHaveLength(1);
  await pass(node, 2);
  const [cancel] = await node.take();
  expect(cancel).toMatchObject({
    type: "cancel",
    fence: probe.fence,
    why: expect.stringContaining("longer than its limit"),
  });
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ failure: { cause: "timeout" }, retry_nr: 1 }]);
  expect(await report(node, aReport(probe))).toBe("ok"); // it may forget it; nothing comes of it
  expect(world().tasks(jobId)[0]).not.toContain("completed");
});

test("an attempt that waited for its grant over a restart of the farm has its time anew", async () => {
  const node = await world().node();
  await submit(aSmallJob());
  await node.assigned();
  await world().clock.advance(60_000);
  await restart();
  const [held] = farm().registry.runningOn(node.id);
  expect(held?.due).toBe(world().clock.monotonic() + tooLongSec * 1000);
});

test("an attempt whose node says for ever that it is suspended is overdue after some days", async () => {
  const node = await world().node();
  const jobId = await submit(withRetry(1));
  await node.assigned();
  const standing = { state: "busy", why: "its owner works", until: null, takes: false, isSuspended: true } as const;
  const standFor = async (ms: number) => {
    await world().clock.advance(ms);
    await takeMessage(farm(), node.id, { type: "heartbeat", standing });
    await advance(1000);
  };
  await standFor(0);
  await standFor(mostSuspendedMs);
  expect(farm().registry.runningOn(node.id)).toHaveLength(1);
  await standFor(2 * tooLongSec * 1000);
  expect(stored(farm()).tasks(jobId)).toMatchObject([{ failure: { cause: "timeout" }, retry_nr: 1 }]);
});
