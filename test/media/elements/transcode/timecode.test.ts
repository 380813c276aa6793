import { describe, expect, test } from "vitest";
import { ratio } from "../../../../shared/basics/rational.ts";
import { type Film, refusalOf, workOf } from "../../../helpers/media/transcode-words.ts";

const target = (timecode: object, video: object = {}, more: object = {}) => ({
  ...{ file_pattern: "x.mov", container: { kind: "mov", enable_data_tracks: true } },
  ...{ video: { codec: "prores", ...video }, timecode: [timecode] },
  ...more,
});

const ntsc = ratio(30_000, 1001);
const film = (timecode: string, rate = ratio(25)): Film => ({
  video: { timecode, frameRate: rate, averageFrameRate: rate },
});

const firstOf = (timecode: object, source: Film, video?: object, more?: object) => {
  const work = workOf(target(timecode, video, more), source);
  const args = work.steps.flatMap((step) => (step.do === "ffmpeg" ? step.argv : []));
  return args.includes("-timecode") ? args[args.indexOf("-timecode") + 1] : undefined;
};

describe("the timecode of a target", () => {
  test.each([
    ["the source's", {}, film("10:00:00:12"), {}, "10:00:00:12"],
    ["its start_value", { start_value: "01:00:00:00" }, film("10:00:00:12"), {}, "01:00:00:00"],
    ["zero without either", {}, {}, {}, "00:00:00:00"],
    ["counted anew at another rate", {}, film("10:00:00:12"), { frame_rate: 50 }, "10:00:00:24"],
    [
      "the same numbers without counting anew",
      { no_recalculation: true },
      film("10:00:00:12"),
      { frame_rate: 50 },
      "10:00:00:12",
    ],
    [
      "read at a rate of its own",
      { start_value: "01:00:00:12", timecode_frame_rate: "24" },
      film("x"),
      { frame_rate: 48 },
      "01:00:00:24",
    ],
    ["dropping like the source's", {}, film("01:00:00;00", ntsc), {}, "01:00:00;00"],
    [
      "dropping where it is forced",
      { start_value: "01:00:00:00", force_drop: true },
      film("x", ntsc),
      {},
      "01:00:00;00",
    ],
    [
      "dropping like the source's though given",
      { start_value: "01:00:00:00", inherit_source_ndf_df: true },
      film("02:00:00;00", ntsc),
      {},
      "01:00:00;00",
    ],
    [
      "not dropping where the source's way is left",
      { inherit_source_ndf_df: false },
      film("01:00:00;00", ntsc),
      {},
      "01:00:00:00",
    ],
  ])("is %s", (_name, timecode, source, video, expected) => {
    expect(firstOf(timecode, source, video)).toBe(expected);
  });

  test("is verified, unless it shall not be", () => {
    const expected = (verify: boolean) => workOf(target({ verify }), film("10:00:00:00")).outputs.t0?.expect?.timecode;
    expect([expected(true), expected(false)]).toEqual(["10:00:00:00", undefined]);
  });

  test("stands in MXF without data tracks, and in MOV with them only", () => {
    const mxf = { file_pattern: "x.mxf", container: { kind: "mxf" } };
    expect(firstOf({}, film("10:00:00:00"), {}, mxf)).toBe("10:00:00:00");
    expect(firstOf({}, film("10:00:00:00"), {}, { container: { kind: "mov" } })).toBeUndefined();
  });

  test.each([
    [{ source_timecode_selector: "gop" }, "source_timecode_selector gop: the source has no such timecode"],
    [{ timecode_frame_rate: "fast" }, 'timecode_frame_rate "fast" is not a frame rate'],
    [{ start_value: "01:00:00:30" }, "start_value is not a timecode of its frame rate: 01:00:00:30"],
  ])("refuses %j", (timecode, message) => {
    expect(refusalOf(target(timecode), film("10:00:00:00"))).toContain(message);
  });
});
