import { expect, test } from "vitest";
import { createPace } from "../../../coordinator/doors/pace.ts";
import { createTestClock } from "../../helpers/clock.ts";

const open = (perSecond: number, atOnce: number) => {
  const clock = createTestClock();
  const pace = createPace({ perSecond, atOnce }, clock);
  const gone: string[] = [];
  const come = (share: string, name: string, isOpen = true): void =>
    pace(share, () => {
      if (isOpen) gone.push(name);
      return isOpen;
    });
  return { clock, gone, come };
};

test("connections go on at once up to a number, and then at a speed", async () => {
  const { clock, gone, come } = open(10, 3);
  for (let nr = 0; nr < 10; nr += 1) come("a", `${nr}`);
  expect(gone.length).toBe(3);
  await clock.advance(400);
  expect(gone.length).toBe(7);
});

test("a flood of one address delays another by one connection, and its own latest goes first", async () => {
  const { clock, gone, come } = open(10, 1);
  for (let nr = 0; nr < 100; nr += 1) come("flood", `f${nr}`);
  come("other", "o");
  await clock.advance(200);
  expect(gone).toEqual(["f0", "f99", "o"]);
});

test("whoever gave up meanwhile takes nobody's place", async () => {
  const { clock, gone, come } = open(10, 1);
  come("a", "first");
  for (let nr = 0; nr < 50; nr += 1) come("b", `gone ${nr}`, false);
  come("c", "last");
  await clock.advance(100);
  expect(gone).toEqual(["first", "last"]);
});
