import { expect, test } from "vitest";
import { judgeSighting, nextPollMs, type Sighting, type Watched, waitTimedOut } from "../../../shared/work/polling.ts";

const file = (changes: Partial<NonNullable<Sighting>> = {}): Sighting => ({
  ...{ size: 100, modified: 1, isOld: false },
  ...changes,
});

/** What each look means, one every second. */
const judged = (seen: readonly Sighting[], isManifest = false): (string | undefined)[] => {
  let watched: Watched | undefined;
  return seen.map((each, second) => {
    const verdict = judgeSighting(watched, each, second * 1000, isManifest);
    watched = verdict.watched;
    return verdict.why;
  });
};

const [gone, grows] = ["it is not there", "it was just written to"];

test("a source that was complete long ago is not waited for", () => {
  expect(judged([file({ isOld: true })])).toEqual([undefined]);
});

test("a file that looks old after the first look has had its clock set: it must stop growing like any other", () => {
  expect(judged([null, file({ isOld: true })])).toEqual([gone, grows]);
});

test("a source that arrives is taken once it has not changed for five seconds", () => {
  const arriving = [null, file({ size: 0 }), file({ size: 0 }), file({ size: 5 }), ...Array(6).fill(file())];
  expect(judged(arriving)).toEqual([gone, grows, grows, grows, grows, grows, grows, grows, grows, undefined]);
});

test("an empty file has not begun to arrive, however long it lies there", () => {
  expect(judged(Array(9).fill(file({ size: 0, isOld: true }))).every((why) => why === grows)).toBe(true);
});

test("a file without its end is waited for although it stopped growing", () => {
  const lacks = "its end is missing";
  expect(judged([...Array(7).fill(file({ lacks })), file({ size: 200 })])).toEqual([
    ...Array(5).fill(grows),
    ...[lacks, lacks, grows],
  ]);
});

test("a manifest is complete as soon as it says so", () => {
  const open = "it has no #EXT-X-ENDLIST";
  expect(judged([null, file({ lacks: open }), file()], true)).toEqual([gone, open, undefined]);
});

test("looks follow one another more and more slowly, up to 30 seconds; a file that is there is not left that long", () => {
  const [missing, there]: Watched[][] = [[{ seen: null, since: 0 }], [{ seen: file(), since: 0 }]];
  expect([0, 8000, 60_000, 120_000, 9_999_999].map((ms) => nextPollMs(ms, missing ?? []))).toEqual([
    ...[1000, 2000, 15_000, 30_000, 30_000],
  ]);
  expect(nextPollMs(9_999_999, there ?? [])).toBe(5000);
});

test.each([
  [gone, "file:///in.mov did not arrive within 30 s"],
  [grows, "file:///in.mov still grew after 30 s"],
  ["its end is missing", "file:///in.mov was not complete after 30 s: its end is missing"],
  ["a playlist that still grows", "a playlist that still grows (waited for 30 s)"],
])("a wait that ends because %s says so", (why, message) => {
  expect(waitTimedOut("file:///in.mov", 30, why)).toEqual({ cause: "source", message });
});
