import { expect, test } from "vitest";
import { lendingFrom } from "../../../agent/lending/flags.ts";
import { headlessRules } from "../../../shared/lending/lending.ts";
import { parseWeek } from "../../../shared/lending/week-plan.ts";

test("without flags nothing is changed", () => {
  expect(lendingFrom({})).toBeUndefined();
});

test("all flags together make one set of rules", () => {
  const values = {
    lend: "hours=mon-fri 19-7, sat, sun",
    "on-return": "requeue",
    "idle-after": "15",
    hold: "30",
    "min-disk": "20GB",
    "not-on-battery": true,
  };
  expect(lendingFrom(values)).toEqual({
    ...headlessRules,
    lend: "hours",
    week: parseWeek("mon-fri 19-7, sat, sun"),
    onReturn: "requeue",
    idleAfterMin: 15,
    holdMin: 30,
    minDisk: 20e9,
    onBattery: false,
  });
});

test("Windows finishes by default and refuses to suspend in words", () => {
  expect(lendingFrom({ lend: "idle" }, "win32")?.onReturn).toBe("finish");
  expect(() => lendingFrom({ "on-return": "suspend" }, "win32")).toThrow(
    "Windows has no dependable way to suspend programs. Use --on-return finish or --on-return requeue",
  );
});

test.each([
  [{ lend: "sometimes" }, '--lend takes always, idle, hours=… or never, not "sometimes"'],
  [{ lend: "hours" }, "--lend takes"],
  [{ lend: "hours=noon" }, '"noon" cannot be read'],
  [{ "on-return": "kill" }, '--on-return takes suspend, finish, requeue, not "kill"'],
  [{ "idle-after": "0" }, '--idle-after takes 1 to 480 minutes, not "0"'],
  [{ hold: "soon" }, "--hold takes 1 to 1440 minutes"],
  [{ "min-disk": "lots" }, '--min-disk takes a size such as 20GB, not "lots"'],
])("%o is refused by its words", (values, words) => {
  expect(() => lendingFrom(values)).toThrow(words);
});
