import { expect, test } from "vitest";
import { usefulEnd } from "../../../shared/texts/useful-error-end.ts";

test.each([
  ["src: no such file: /media/a.mov", "no such file: /media/a.mov"],
  ["ffmpeg ended with status 1\n[mov @ 0x55d] moov atom not found\nConversion failed!", "moov atom not found"],
  ["No space is left", "No space is left"],
  ["Conversion failed!", "Conversion failed!"],
  ["", ""],
])("the useful end of %j is %j", (error, end) => {
  expect(usefulEnd(error)).toBe(end);
});
