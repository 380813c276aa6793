import { expect, test } from "vitest";
import { readAhead } from "../../../renderer/shell/read-ahead.ts";
import { createTestClock, turns } from "../../helpers/clock.ts";

const begin = ({ savesData = false } = {}) => {
  const clock = createTestClock();
  const state = { isReading: true, isIdle: Promise.resolve() };
  const read: string[] = [];
  const parts = ["jobs", "nodes"].map((name) => async () => void read.push(name));
  void readAhead({ isReading: () => state.isReading, parts, idle: () => state.isIdle, savesData, clock });
  return { clock, state, read };
};

test("the rest is read once the page reads nothing any more, for longer than a moment", async () => {
  const { clock, state, read } = begin();
  await clock.advance(3000);
  state.isReading = false;
  await clock.advance(250);
  state.isReading = true; // an answer led to the next question
  await clock.advance(250);
  state.isReading = false;
  await clock.advance(250);
  expect(read).toEqual([]);
  await clock.advance(250);
  expect(read).toEqual(["jobs", "nodes"]);
  expect(clock.waiting()).toBe(0);
});

test("a page that never stops reading holds the rest up for ten seconds", async () => {
  const { clock, read } = begin();
  await clock.advance(9900);
  expect(read).toEqual([]);
  await clock.advance(200);
  expect(read).toEqual(["jobs", "nodes"]);
});

test("each part waits until the browser has time", async () => {
  const { clock, state, read } = begin();
  const busy = Promise.withResolvers<void>();
  Object.assign(state, { isReading: false, isIdle: busy.promise });
  await clock.advance(2000);
  expect(read).toEqual([]);
  busy.resolve();
  await turns();
  expect(read).toEqual(["jobs", "nodes"]);
});

test("who pays for each byte reads only what they ask for", async () => {
  const { clock, state, read } = begin({ savesData: true });
  state.isReading = false;
  await clock.advance(60_000);
  expect(read).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
