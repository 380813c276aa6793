import { expect, test } from "vitest";
import { createLines } from "../../../coordinator/kernel/lines.ts";
import { createTestClock } from "../../helpers/clock.ts";

test("heavy work of one caller rests for so many times as long as it took; that of others goes on meanwhile", async () => {
  const clock = createTestClock();
  const inLine = createLines(100, { clock, times: 5 });
  const begun: string[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => clock.after(10, resolve));
  };
  const all = [inLine("a", 1, work("a1")), inLine("a", 1, work("a2")), inLine("b", 1, work("b1"))];
  await clock.advance(0);
  expect(begun).toEqual(["a1", "b1"]);
  await clock.advance(55);
  expect(begun).toEqual(["a1", "b1"]);
  await clock.advance(10);
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await clock.advance(10);
  await Promise.all(all);
});

test("nobody rests where there is nobody for whom to rest", async () => {
  const clock = createTestClock();
  let isNeeded = false;
  const inLine = createLines(100, { clock, times: 5, isNeeded: () => isNeeded });
  const begun: string[] = [];
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => clock.after(10, resolve));
  };
  const all = [1, 2, 3].map((nr) => inLine("a", 1, work(`a${nr}`)));
  await clock.advance(0);
  await clock.advance(10);
  expect(begun).toEqual(["a1", "a2"]);
  isNeeded = true;
  await clock.advance(59);
  expect(begun).toEqual(["a1", "a2"]);
  await clock.advance(1);
  expect(begun).toEqual(["a1", "a2", "a3"]);
  await clock.advance(10);
  await Promise.all(all);
});
