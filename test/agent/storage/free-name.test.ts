import { expect, test } from "vitest";
import { firstFree, numbered, unnumbered } from "../../../agent/storage/free-name.ts";

test("a number goes before the ending, also in a name of several dots or of none", () => {
  expect(numbered("file:///out/a.b.mp4", 2)).toBe("file:///out/a.b_2.mp4");
  expect(numbered("file:///out.d/name", 1)).toBe("file:///out.d/name_1");
});

test("a number that the farm gave is taken off again, one that the name has by itself is not", () => {
  expect(unnumbered("file:///out/a_1.mp4", "a.mp4")).toBe("file:///out/a.mp4");
  expect(unnumbered("file:///out/take_2.mp4", "take_2.mp4")).toBe("file:///out/take_2.mp4");
  expect(unnumbered("file:///out/take_2_1.mp4", "take_2.mp4")).toBe("file:///out/take_2.mp4");
  expect(unnumbered("file:///out/a%20b_10.mp4", "a b.mp4")).toBe("file:///out/a%20b.mp4");
  expect(unnumbered("file:///out/name_3", "name")).toBe("file:///out/name");
});

test("a name whose hidden name was shortened keeps its number", () => {
  expect(unnumbered("file:///out/a_1.mp4", "0123456789abcdef")).toBe("file:///out/a_1.mp4");
});

test("the first free name counts up from one", async () => {
  const there = new Set(["file:///out/a.mp4", "file:///out/a_1.mp4"]);
  expect(await firstFree("file:///out/a.mp4", async (uri) => there.has(uri))).toBe("file:///out/a_2.mp4");
});
