import { expect, test } from "vitest";
import { createDowntimeLog } from "../../../coordinator/nodes/downtimes.ts";

const minute = 60_000;
const inUse = (from: number) => ({ state: "inUse", from, why: "In use by Mara", lending: "inUse" }) as const;

test("a stretch begins with the state and ends with it; one follows another without a gap", () => {
  const book = createDowntimeLog();
  book.note(7, 0, undefined);
  book.note(7, 1 * minute, inUse(1 * minute));
  book.note(7, 2 * minute, inUse(2 * minute));
  book.note(7, 5 * minute, { state: "lost", from: 4 * minute, why: "", lending: null });
  book.note(7, 9 * minute, undefined);
  expect(book.since(0)).toEqual([
    { nodeId: 7, state: "inUse", from: 1 * minute, to: 4 * minute, why: "In use by Mara", lending: "inUse" },
    { nodeId: 7, state: "lost", from: 4 * minute, to: 9 * minute, why: "", lending: null },
  ]);
  expect(book.since(6 * minute).map(({ state }) => state)).toEqual(["lost"]);
});

test("what goes on at a restart goes on afterwards, and a day later it is forgotten", () => {
  const first = createDowntimeLog();
  first.note(7, 0, inUse(0));
  const second = createDowntimeLog(first.takeUnwritten(minute));
  second.note(7, 2 * minute, inUse(2 * minute));
  expect(second.since(0)).toEqual([{ ...inUse(0), nodeId: 7, to: null }]);
  second.note(7, 3 * minute, undefined);
  second.note(8, 25 * 60 * minute, inUse(0));
  second.note(8, 25 * 60 * minute, undefined);
  expect(second.since(0).map(({ nodeId }) => nodeId)).toEqual([8]);
});

test("it is stored once a minute at most, and only where something changed", () => {
  const book = createDowntimeLog();
  expect(book.takeUnwritten(minute)).toBeUndefined();
  book.note(7, minute, inUse(minute));
  expect(book.takeUnwritten(minute)).toHaveLength(1);
  book.note(7, minute, undefined);
  expect(book.takeUnwritten(minute + 1)).toBeUndefined();
  expect(book.takeUnwritten(2 * minute)).toHaveLength(1);
});
