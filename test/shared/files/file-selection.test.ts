import { expect, test } from "vitest";
import { filesListed, listingParts } from "../../../media/results/listing.ts";
import { isHiddenFrom, matchesWildcard } from "../../../shared/files/file-selection.ts";

test.each([
  ["a.mov", "*", true],
  ["a.mov", "*.mov", true],
  ["a.mov.part", "*.mov", false],
  ["a.MOV", "*.mov", false],
  ["clip_01.mxf", "clip_??.*", true],
  ["clip_1.mxf", "clip_??.*", false],
  ["a[1].mov", "a[1].mov", true],
  ["aaab", "*a*b", true],
  ["🎬.mov", "?.mov", true],
  ["", "*", true],
])("%s against %s: %s", (name, pattern, fits) => {
  expect(matchesWildcard(name, pattern)).toBe(fits);
});

test("a pattern of many stars is answered in time", () => {
  expect(matchesWildcard("a".repeat(255), `${"*a".repeat(400)}b`)).toBe(false);
});

test("hidden names are meant only where the pattern begins with a dot", () => {
  const hidden = (pattern: object) => isHiddenFrom(".a", { pattern, isRecursive: false } as never); // one of the two forms
  expect([hidden({ wildcard: "*" }), hidden({ wildcard: ".*" }), hidden({ regex: "^\\.a$" })]).toEqual([
    ...[true, false, true],
  ]);
});

test("a long listing goes in parts, and is read in its order", () => {
  const files = Array.from({ length: 5000 }, (_, nr) => ({ uri: `file:///in/${nr}.mov`, size: nr, modified: 1 }));
  const parts = listingParts(files);
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(256_000);
  const results = parts.toReversed().map((value) => [`list_${value.part}`, { kind: "listing", value }] as const);
  expect(filesListed(Object.fromEntries(results))).toEqual(files);
  expect([filesListed({}), filesListed({ list: { kind: "listing", value: listingParts([])[0] ?? null } })]).toEqual([
    ...[undefined, []],
  ]);
});

test("sections of a transcode under way are never meant", () => {
  const selection = { pattern: { wildcard: "*" }, isRecursive: false };
  expect(["a.mp4__hyseg_000_of_004_7_t", "a.mp4"].map((name) => isHiddenFrom(name, selection))).toEqual([true, false]);
});
