import { describe, expect, test } from "vitest";
import { createFarmClock } from "../../coordinator/farm-clock.ts";
import { createTestClock, testStart } from "../helpers/clock.ts";

const hour = 3_600_000;

describe.each([
  ["ahead", hour],
  ["back", -hour],
])("where the machine's clock is set an hour %s", (_, jump) => {
  test("the farm's time goes on as if nothing had happened", async () => {
    const machine = createTestClock();
    const clock = createFarmClock(machine);
    await machine.advance(1000);
    machine.jump(jump);
    await machine.advance(1000);
    expect(clock.steady()).toBe(testStart + 2000);
  });

  test("people are shown what is due on the clock that they read", () => {
    const machine = createTestClock();
    const clock = createFarmClock(machine);
    const due = clock.steady() + 5000;
    machine.jump(jump);
    expect(clock.wallOf(due) - machine.now()).toBe(5000);
  });

  test("it is to be written down at once", () => {
    const machine = createTestClock();
    const clock = createFarmClock(machine);
    clock.unkept();
    machine.jump(jump);
    expect(clock.unkept()).toEqual({ steady: testStart, wall: testStart + jump });
  });

  test("the next life goes on from what was written down, whatever the clock says then", async () => {
    const machine = createTestClock();
    const clock = createFarmClock(machine);
    machine.jump(jump);
    const kept = clock.unkept();
    await machine.advance(7000);
    expect(createFarmClock(machine, kept).steady()).toBe(testStart + 7000);
  });
});

test("what is written down is good for five minutes", async () => {
  const machine = createTestClock();
  const clock = createFarmClock(machine);
  clock.unkept();
  await machine.advance(299_000);
  const before = clock.unkept();
  await machine.advance(1000);
  expect([before, clock.unkept()]).toEqual([undefined, { steady: testStart + 300_000, wall: testStart + 300_000 }]);
});

test("a clock that is set back between two lives does not take the farm's time back", () => {
  const machine = createTestClock();
  const kept = createFarmClock(machine).unkept();
  machine.jump(-hour);
  expect(createFarmClock(machine, kept).steady()).toBe(testStart);
});

test("a clock that merely goes a little wrong is not written down all the time", async () => {
  const machine = createTestClock();
  const clock = createFarmClock(machine);
  clock.unkept();
  machine.jump(900);
  expect(clock.unkept()).toBeUndefined();
});
