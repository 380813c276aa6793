import { beforeEach, expect, test } from "vitest";
import type { NewTrailLine, TrailStore } from "../../../coordinator/store/trail.ts";
import { aboutText, factsOf } from "../../../coordinator/trail/about.ts";
import { createTrail, type Noted, type Trail } from "../../../coordinator/trail/trail.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { silentLog } from "../../helpers/farm/farm.ts";

let clock: ReturnType<typeof createTestClock>;
let written: NewTrailLine[];
/** How many lines each turn of the loop wrote. */
let pieces: number[];
let isBroken: boolean;
let trail: Trail;

beforeEach(() => {
  clock = createTestClock();
  written = [];
  pieces = [];
  isBroken = false;
  const add: TrailStore["add"] = async (lines) => {
    if (isBroken) throw new Error("The disk is full");
    written.push(...lines);
  };
  const unused = () => Promise.reject(new Error("not asked for here"));
  trail = createTrail({
    clock: clock as never, // a farm's clock can do more
    log: silentLog,
    timeSlice: async (work) => {
      const before = written.length;
      const made = work();
      pieces.push(written.length - before);
      return made;
    },
    store: { trail: { add, find: unused, after: unused, ends: unused } },
  });
});

const stop: Noted = { who: "Ada (person 1)", origin: "192.0.2.7", action: "stopJob", about: { job_id: "12" } };
const guess: Noted = { who: "", origin: "192.0.2.9", action: "signIn", refusal: "NOT_AUTHENTICATED", about: {} };
const told = () => written.map(({ who, action, outcome, about }) => [who, action, outcome, about].join(" | "));

test("many lines are written in pieces, between which others have the loop", async () => {
  for (let nr = 0; nr < 950; nr += 1) trail.note({ ...stop, about: { job_id: String(nr) } });
  await trail.flush();
  expect(pieces).toEqual([...Array.from({ length: 9 }, () => 100), 50]);
  expect(written.map(({ about }) => about)).toEqual(Array.from({ length: 950 }, (_, nr) => `job_id=${nr}`));
});

test("lines are written with the next tick; those that differ in nothing are one", async () => {
  for (const note of [stop, stop, { ...stop, about: { job_id: "13" } }]) trail.note(note);
  expect(written).toEqual([]);
  await trail.flush();
  expect(told()).toEqual([
    "Ada (person 1) | stopJob | done | job_id=12 times=2",
    "Ada (person 1) | stopJob | done | job_id=13",
  ]);
});

test("what the disk cannot take waits, and is written once", async () => {
  isBroken = true;
  trail.note(stop);
  await expect(trail.flush()).rejects.toThrow("The disk is full");
  isBroken = false;
  await trail.flush();
  await trail.flush();
  expect(told()).toEqual(["Ada (person 1) | stopJob | done | job_id=12"]);
});

test("what strangers are refused again and again is told at once, and then once a minute with how often", async () => {
  for (let nr = 0; nr < 500; nr += 1) trail.note({ ...guess, about: { tried: nr } });
  await trail.flush();
  expect(told()).toEqual(["a stranger | signIn | NOT_AUTHENTICATED | tried=0"]);
  await clock.advance(60_000);
  await trail.flush();
  expect(told().slice(1)).toEqual(["a stranger | signIn | NOT_AUTHENTICATED | tried=1 times=499"]);
  trail.note(guess);
  trail.note(guess);
  await trail.end(); // whatever is still counted is told then
  expect(told().slice(2)).toEqual(["a stranger | signIn | NOT_AUTHENTICATED | times=2"]);
});

test("lines beyond what may wait are counted, and that is told", async () => {
  isBroken = true;
  for (let nr = 0; nr < 20_005; nr += 1) trail.note({ ...stop, about: { nr } });
  await expect(trail.flush()).rejects.toThrow();
  isBroken = false;
  await trail.flush();
  expect([written.length, told().at(-1)]).toEqual([20_001, "the coordinator | droppedLines | done | lines=5"]);
});

test("a line tells names in the path and chosen fields; what may be secret stays out", () => {
  const body = { name: "Ada", password: "opensesame", role: "owner", payload: { elements: [] }, note: "new\nend card" };
  const facts = factsOf({ job_id: "12" }, body, { id: "12", token: "abc" }, { isKnown: true });
  expect(aboutText(facts)).toBe('job_id=12 name=Ada role=owner note="new end card" id=12');
  // Some people type their password where the name belongs.
  expect(aboutText(factsOf({}, { name: "opensesame" }, undefined, { isKnown: false }))).toBe("");
});

test("long texts and lists are cut, and nothing in them ends a line or names another field", () => {
  const ids = Array.from({ length: 30 }, (_, at) => String(at));
  expect(aboutText({ ids })).toMatch(/^ids=\[0,1,.*,19,and 10 more\]$/);
  expect(aboutText({ note: "a" }).length + aboutText({ note: "b".repeat(5000) }).length).toBe(6 + 205);
  expect(aboutText({ note: 'x role=owner "y"\u2028\ud800' })).toBe('note="x role=owner \\"y\\" \ufffd"');
});
