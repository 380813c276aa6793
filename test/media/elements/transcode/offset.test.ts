import { expect, test } from "vitest";
import { muxerWords, warningsOf } from "../../../helpers/media/transcode-words.ts";

test.each([
  ["x.mkv", {}, 1500, undefined],
  ["x.mov", { kind: "mov" }, 1500, undefined],
  ["x.mp4", { kind: "fmp4" }, 1500, "such fmp4 files begin at zero"],
  ["x.mov", { kind: "mov", mov_atoms: { no_empty_elst: true } }, 1500, "such mov files begin at zero"],
  ["x.avi", { kind: "avi" }, 1500, "such avi files begin at zero"],
  ["x.mxf", { kind: "mxf" }, 1500, "such mxf files begin at zero"],
  ["x.ts", { kind: "mpegts" }, -700, "no time is before zero"],
  ["x.mp4", { kind: "mp4" }, -700, "no time is before zero"],
] as const)("%s, %j, begins %i ms late, or the result tells why not (%s)", (file_pattern, kind, late, why) => {
  const container = { ...kind, ts_offset_ms: late };
  const target = { file_pattern, video: { codec: file_pattern === "x.avi" ? "mpeg4" : "h264" }, container };
  expect(muxerWords(target).includes(`-output_ts_offset ${late / 1000}`)).toBe(why === undefined);
  const told = why === undefined ? [] : [expect.stringContaining(`ts_offset_ms ${late} has no effect: ${why}`)];
  expect(warningsOf(target).filter((words) => words.includes("ts_offset_ms"))).toEqual(told);
});
