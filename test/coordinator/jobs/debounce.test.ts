import { expect, test } from "vitest";
import { createDebounce } from "../../../coordinator/jobs/debounce.ts";
import { createTestClock } from "../../helpers/clock.ts";

test("it is quiet until a break, and again after as long; whoever was refused is told once", async () => {
  const clock = createTestClock();
  let told = 0;
  const quiet = createDebounce(clock, 50, () => {
    told += 1;
  });
  expect(quiet.isOn()).toBe(true);
  quiet.break();
  expect([quiet.isOn(), quiet.isOn()]).toEqual([false, false]);
  await clock.advance(50);
  expect([told, quiet.isOn()]).toEqual([1, true]);
});

test("without a refusal, nobody is told", async () => {
  const clock = createTestClock();
  let told = 0;
  const quiet = createDebounce(clock, 50, () => {
    told += 1;
  });
  quiet.break();
  await clock.advance(200);
  quiet.break();
  expect(quiet.isOn()).toBe(false);
  quiet.end();
  await clock.advance(200);
  expect(told).toBe(0);
});
