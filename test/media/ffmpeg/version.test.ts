import { expect, test } from "vitest";
import { doubtOf } from "../../../media/ffmpeg/version.ts";

test.each(["5.1.9-0+deb12u1", "4.4.2", "n5.0-3-gabc"])("of ffmpeg %s it is said that cuts may be off", (version) => {
  expect(doubtOf(version)).toBe(
    `ffmpeg ${version} is older than 6: cuts of some sources are a frame or some samples off (docs/jobs/sources.md)`,
  );
});

test.each(["n7.0-7-gd38bf5e08e-20240407", "6.0", "10.1", "N-66595-gc2b38619c0-static", "2024-04-07-git"])(
  "nothing is said against ffmpeg %s",
  (version) => expect(doubtOf(version)).toBe(undefined),
);
