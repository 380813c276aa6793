import { expect, test } from "vitest";
import { createSignInThrottle } from "../../../coordinator/http/sign-in-throttle.ts";
import { createTestClock } from "../../helpers/clock.ts";

const aThrottle = () => {
  const clock = createTestClock();
  const throttle = createSignInThrottle(clock);
  /** Milliseconds that a wrong try costs. */
  const costOf = async (...keys: string[]): Promise<number> => {
    const begun = clock.monotonic();
    let end: number | undefined;
    const over = throttle.punish(keys).then(() => {
      end = clock.monotonic();
    });
    await clock.advance(0);
    while (end === undefined) await clock.advance(100);
    await over;
    return end - begun;
  };
  return { clock, throttle, costOf };
};

test("five wrong tries cost nothing, each one more twice as long, up to five seconds", async () => {
  const { costOf } = aThrottle();
  const costs: number[] = [];
  for (let nr = 0; nr < 13; nr += 1) costs.push(await costOf("a"));
  expect(costs).toEqual([0, 0, 0, 0, 0, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
});

test("what is forgiven, or a quarter of an hour old, counts no more", async () => {
  const { clock, throttle, costOf } = aThrottle();
  for (let nr = 0; nr < 6; nr += 1) await costOf("a", "b");
  throttle.forgive(["a"]);
  expect([await costOf("a"), await costOf("b")]).toEqual([0, 400]);
  await clock.advance(15 * 60_000);
  expect(await costOf("b")).toBe(0);
});

test("keys of any length are told apart", async () => {
  const { costOf } = aThrottle();
  const long = "x".repeat(10_000);
  for (let nr = 0; nr < 6; nr += 1) await costOf(`${long}1`);
  expect([await costOf(`${long}1`), await costOf(`${long}2`)]).toEqual([400, 0]);
});

test("so many guesses are remembered and no more, and none of them for longer than it counts", async () => {
  const { clock, throttle, costOf } = aThrottle();
  for (let nr = 0; nr < 10_500; nr += 1) void throttle.punish([`guess ${nr}`]);
  expect(throttle.size()).toBeLessThanOrEqual(10_001);
  await clock.advance(15 * 60_000);
  await costOf("one more");
  expect(throttle.size()).toBe(1);
});
