import { expect, test } from "vitest";
import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { TaskError } from "../../../shared/model/failure.ts";

const fill = (pattern: string, sourceName = "take.1.mov") =>
  fillPattern(pattern, { sourceName, defaultExtension: ".mp4", jobId: 42 });

test.each([
  ["{source_basename}", "take.1"],
  ["{source_name}", "take.1.mov"],
  ["{source_basename}_x{source_extension}", "take.1_x.mov"],
  ["{source_basename}{default_extension}", "take.1.mp4"],
  ["{source_basename}.{default_extension}", "take.1.mp4"],
  ["{SOURCE_BASENAME}-{job_id}.mxf", "take.1-42.mxf"],
  ["plain.mp4", "plain.mp4"],
  ["frame_%05d.png", "frame_%05d.png"],
  ["{not a name}", "{not a name}"],
])("%s becomes %s", (pattern, name) => {
  expect(fill(pattern)).toBe(name);
});

test("a source without extension has none", () => {
  expect(fill("{source_basename}{source_extension}", "clip")).toBe("clip");
});

test.each(["{unknown}", "{constructor}", "{__proto__}"])("%s is refused by its name", (pattern) => {
  expect(() => fill(pattern)).toThrow(
    `file_pattern "${pattern}" has an unknown placeholder ${pattern}: there are {source_basename}, `,
  );
  expect(() => fill(pattern)).toThrow(TaskError);
});

test.each(["a/b", "..", ".", "a\\b", "a\0b", "x".repeat(201), "ü".repeat(101)])("%j is no file name", (pattern) => {
  expect(() => fill(pattern)).toThrow("gives no usable file name");
});

test("a name of 200 bytes is one", () => {
  expect(fill("x".repeat(200))).toBe("x".repeat(200));
});

test("a source cannot smuggle a folder in", () => {
  expect(() => fill("{source_name}", "../evil.mov")).toThrow("gives no usable file name");
});
