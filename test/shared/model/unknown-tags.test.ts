import { expect, test } from "vitest";
import { unknownTags } from "../../../shared/model/unknown-tags.ts";

const provided = new Set(["gpu", "fast-disk", "linux", "av1"]);

test.each([
  ["gpu", undefined],
  ["GPU", "gpu"],
  ["fast_disk", "fast-disk"],
  ["linx", "linux"],
  ["lniux", "linux"],
  ["linuxx", "linux"],
  ["windows", undefined],
  ["av2x", undefined],
  ["", undefined],
])("%j is like %j", (tag, like) => {
  expect(unknownTags([tag], provided)).toEqual(provided.has(tag) ? [] : [{ tag, like }]);
});

test("a tag that is wanted twice is told once", () => {
  expect(unknownTags(["mac", "mac", "gpu"], provided)).toEqual([{ tag: "mac", like: undefined }]);
});
