import { expect, test } from "vitest";
import { createLeaseKeeper } from "../../../coordinator/standby/lease-keeper.ts";
import { createTestClock } from "../../helpers/clock.ts";

const mine = { holder: "me", address: "http://me" };

/** A store's lease that answers as it is told, and a keeper of it. */
const setUp = () => {
  const clock = createTestClock();
  const lost: string[] = [];
  const answers = { take: async (): Promise<number | undefined> => 7 };
  const lease = { take: () => answers.take(), give: async () => undefined };
  const keeper = createLeaseKeeper({ lease, clock, log: { warn: () => undefined }, leaseMs: 5000, mine });
  return { clock, lost, answers, keeper, keep: () => keeper.keep((why) => lost.push(why)) };
};

test("a leader whose lease is prolonged goes on", async () => {
  const { clock, lost, keeper, keep } = setUp();
  expect(await keeper.take()).toBe(true);
  keep();
  await clock.advance(60_000);
  expect(lost).toEqual([]);
});

test("a leader that cannot ask stops a second before its lease could end, counted from before it asked last", async () => {
  const { clock, lost, answers, keeper, keep } = setUp();
  await keeper.take();
  keep();
  answers.take = () => new Promise(() => undefined); // cut off from the store
  await clock.advance(3900);
  expect(lost).toEqual([]);
  await clock.advance(100);
  expect(lost).toEqual(["the lease could not be prolonged in time"]);
  await clock.advance(60_000);
  expect(lost).toHaveLength(1);
});

test("a store that fails for a moment ends nothing", async () => {
  const { clock, lost, answers, keeper, keep } = setUp();
  await keeper.take();
  keep();
  answers.take = () => Promise.reject(new Error("the server restarts"));
  await clock.advance(3000);
  answers.take = async () => 7;
  await clock.advance(10_000);
  expect(lost).toEqual([]);
});

test.each([
  ["somebody else has the lease", undefined],
  ["somebody else had it meanwhile", 8],
])("a leader stops at once if %s", async (_, found) => {
  const { clock, lost, answers, keeper, keep } = setUp();
  await keeper.take();
  keep();
  answers.take = async () => found;
  await clock.advance(1000);
  expect(lost).toEqual(["another coordinator has the lease"]);
});
