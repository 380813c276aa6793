import { expect, test } from "vitest";
import { createTimeSlice } from "../../../coordinator/kernel/time-slice.ts";

/** Turns of the loop, and the time that passes in them, both by hand. */
const aLoop = () => {
  let now = 0;
  let next: (() => void)[] = [];
  const read: string[] = [];
  const inTurn = createTimeSlice({ monotonic: () => now }, (fn) => next.push(fn));
  return {
    inTurn,
    read,
    pass: (ms: number) => {
      now += ms;
    },
    job: (name: string, ms: number, characters?: number) =>
      inTurn(() => {
        read.push(name);
        now += ms;
        return name;
      }, characters),
    turn: () => {
      const due = next;
      next = [];
      for (const fn of due) fn();
    },
  };
};

test("submissions are read at once as long as the turn of the loop has time", async () => {
  const { job, read } = aLoop();
  expect(await Promise.all([job("a", 0.8), job("b", 0.8), job("c", 90)])).toEqual(["a", "b", "c"]);
  expect(read).toEqual(["a", "b", "c"]);
});

test("beyond it they are read in the next turns, in order", () => {
  const { job, read, turn } = aLoop();
  const seen: string[] = [];
  for (const name of ["a", "b", "c", "d"]) void job(name, 1.5);
  seen.push(read.join(""));
  turn();
  void job("e", 0.5);
  seen.push(read.join(""));
  turn();
  seen.push(read.join(""));
  expect(seen).toEqual(["ab", "abcd", "abcde"]);
});

test("one that cannot be read refuses nobody else", async () => {
  const { job, inTurn } = aLoop();
  const results = await Promise.allSettled([
    inTurn(() => {
      throw new Error("no job");
    }),
    job("b", 0),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("small ones go before larger ones that wait, which have one piece of each turn", () => {
  const { job, read, turn } = aLoop();
  for (const name of ["A", "B", "C", "D"]) void job(name, 1.5);
  for (const name of ["a", "b", "c"]) void job(name, 1.5, 1000);
  expect(read.join("")).toBe("AB");
  turn();
  expect(read.join("")).toBe("ABabC");
  turn();
  expect(read.join("")).toBe("ABabCcD");
});
