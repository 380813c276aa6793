import { describe, expect, test } from "vitest";
import { framesAsked, rangeOf } from "../../../media/virtual-source/trim.ts";
import { trim } from "../../../media/virtual-source/trim-schema.ts";
import { type Rational, ratio, toFraction } from "../../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";

const aTimeline = (rate: Rational, more: Partial<MediaFacts> = {}, video: Partial<VideoFacts> = {}): MediaFacts => ({
  ...{ format: "mxf", size: 1, start: ratio(0), duration: ratio(7200), audio: [], others: [] },
  video: [
    {
      ...{ index: 0, codec: "prores", timeBase: ratio(1, 90000), width: 16, height: 16, start: ratio(0) },
      ...{ frameRate: rate, averageFrameRate: rate, ...video },
    },
  ],
  ...more,
});

const pal = ratio(25);
const ntsc = ratio(30000, 1001);
const film24 = ratio(24000, 1001);

const range = (fields: object, timeline: MediaFacts, frameTimes?: ReadonlyMap<number, Rational>) => {
  const found = rangeOf(trim.parse(fields), { timeline, what: "t.trim", frameTimes });
  return found && [toFraction(found.from), found.to && toFraction(found.to)];
};
const refusal = (fields: object, timeline: MediaFacts, frameTimes?: ReadonlyMap<number, Rational>) => {
  expect(() => range(fields, timeline, frameTimes)).toThrow();
  try {
    range(fields, timeline, frameTimes);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
  return undefined;
};

describe("a trim means", () => {
  test.each([
    ["nothing: all of it", {}, pal, undefined],
    ["by_nothing: all of it", { by_nothing: {} }, pal, undefined],
    ["seconds in and out", { inpoint_sec: 1.6, outpoint_sec: "3" }, pal, ["8/5", "3"]],
    ["the nearest frames of seconds", { inpoint_sec: 1.01, outpoint_sec: 2.0299 }, pal, ["1", "51/25"]],
    ["one frame at least", { inpoint_sec: 1.01, outpoint_sec: 1.011 }, pal, ["1", "26/25"]],
    ["seconds, the variant named", { by_sec_in_out: { inpoint_sec: 1, outpoint_sec: 2 } }, pal, ["1", "2"]],
    ["only an inpoint", { inpoint_sec: 30 }, pal, ["30", undefined]],
    ["only an outpoint", { outpoint_sec: 30 }, pal, ["0", "30"]],
    ["only a duration", { duration_sec: 10 }, pal, ["0", "10"]],
    ["in and duration", { inpoint_sec: 30, duration_sec: 10 }, pal, ["30", "40"]],
    ["the outpoint, where a duration contradicts it", { outpoint_sec: 3, duration_sec: 9 }, pal, ["0", "3"]],
    ["timecodes from zero", { inpoint_tc: "00:00:30:00", outpoint_tc: "00:01:00:12" }, pal, ["30", "1512/25"]],
    ["drop-frame from zero", { inpoint_tc: "00:01:00;02" }, ntsc, ["3003/50", undefined]],
    ["non-drop from zero", { inpoint_tc: "00:01:00:00" }, ntsc, ["3003/50", undefined]],
    ["timecode in, duration in seconds", { inpoint_tc: "00:00:10:00", duration_sec: 5 }, pal, ["10", "15"]],
    [
      "timecode in, duration in timecode",
      { inpoint_tc: "00:00:10:00", duration_tc: "00:00:00:05" },
      pal,
      ["10", "51/5"],
    ],
    ["seconds at 23.976", { inpoint_sec: 10, duration_sec: 1 }, film24, ["1001/100", "11011/1000"]],
    ["frames", { inpoint_frame: 1440, outpoint_frame: "1560" }, film24, ["3003/50", "13013/200"]],
    ["a frame and a number of frames", { inpoint_frame: 24, duration_frames: 1 }, film24, ["1001/1000", "1001/960"]],
    ["the first frames", { outpoint_frame: 48 }, film24, ["0", "1001/500"]],
  ])("%s", (_name, fields, rate, expected) => {
    expect(range(fields, aTimeline(rate))).toEqual(expected);
  });

  test("frames from the first picture, where sound begins before it", () => {
    const timeline = aTimeline(pal, {}, { start: ratio(1, 2) });
    expect(range({ inpoint_frame: 10, outpoint_frame: 20 }, timeline)).toEqual(["9/10", "13/10"]);
    expect(range({ inpoint_frame: 0, outpoint_frame: 20 }, timeline)).toEqual(["0", "13/10"]);
  });

  test("a precision that the range keeps", () => {
    const context = { timeline: aTimeline(pal), what: "t.trim" };
    expect(rangeOf(trim.parse({ inpoint_sec: 1.001, precision: "sample" }), context)).toEqual({
      ...{ from: ratio(1001, 1000), to: undefined, precision: "sample" },
    });
  });
});

describe("by the source's own clock", () => {
  const at = (timecode: string, rate = pal) => aTimeline(rate, { timecode });
  const asset = (inpoint_asset_tc: string, outpoint_asset_tc?: string) => ({ inpoint_asset_tc, outpoint_asset_tc });

  test.each([
    ["from an hour", asset("10:00:01:00", "10:00:02:12"), at("10:00:00:00"), ["1", "62/25"]],
    ["drop-frame", asset("01:01:00;02", "01:10:00;00"), at("01:00:00;00", ntsc), ["3003/50", "2999997/5000"]],
    [
      "written without drops for a clock that has them",
      asset("01:01:00:02"),
      at("01:00:00;00", ntsc),
      ["3003/50", undefined],
    ],
    [
      "written with drops for a clock that has none",
      asset("01:00:10;00"),
      at("01:00:00:00", ntsc),
      ["1001/100", undefined],
    ],
    ["over midnight", asset("00:00:01:00"), at("23:59:59:00"), ["2", undefined]],
    ["at 59.94", asset("01:00:01;00"), at("01:00:00;00", ratio(60000, 1001)), ["1001/1000", undefined]],
    ["at 119.88", asset("01:00:00;119"), at("01:00:00;00", ratio(120000, 1001)), ["119119/120000", undefined]],
  ])("%s", (_name, fields, timeline, expected) => {
    expect(range(fields, timeline)).toEqual(expected);
  });

  test("absolute seconds count from midnight, in the time that the clock's frames take", () => {
    const fields = { inpoint_sec: 3605, outpoint_sec: 3610, sequence_timing: "absolute" };
    expect(range(fields, at("01:00:00:00"))).toEqual(["5", "10"]);
    // An hour of non-drop numbers at 29.97 takes 3.6 seconds more than an hour.
    expect(range({ inpoint_sec: 3605, sequence_timing: "absolute" }, at("01:00:00:00", ntsc))).toEqual([
      "7007/5000",
      undefined,
    ]);
  });

  test("the clock is the one that is selected", () => {
    const timecodes = [
      { kind: "container", value: "02:00:00:00" },
      { kind: "gop", value: "01:00:00:00" },
    ] as const;
    const timeline = aTimeline(pal, { timecode: "02:00:00:00", timecodes: [...timecodes] });
    const by = (source_timecode_selector: string) =>
      range({ inpoint_asset_tc: "02:00:01:00", source_timecode_selector }, timeline)?.[0];
    expect([by("first"), by("highest"), by("lowest"), by("gop")]).toEqual(["1", "1", "3601", "3601"]);
    expect(refusal({ inpoint_asset_tc: "02:00:01:00", source_timecode_selector: "sdti" }, timeline)).toBe(
      "t.trim.inpoint_asset_tc needs a timecode of the kind sdti, the source has none",
    );
  });
});

describe("by what the source has", () => {
  const section = (from: number, to: number) => ({ from: ratio(from), to: ratio(to) });
  const timeline = aTimeline(pal, { sections: [section(0, 10), section(10, 30), section(30, 60)] });

  test.each([
    [{ section_nr: 1 }, ["10", "30"]],
    [{ inpoint_section: 1 }, ["10", undefined]],
    [{ inpoint_section: 0, outpoint_section: 2 }, ["0", "30"]],
    [{ inpoint_section: 1, outpoint_section: 3 }, ["10", "60"]],
  ])("sections: %j", (fields, expected) => {
    expect(range(fields, timeline)).toEqual(expected);
  });

  test("where a track begins and ends", () => {
    const sound = { index: 1, codec: "aac", timeBase: ratio(1, 48000), channels: 2, sampleRate: 48000 };
    const audio = [{ ...sound, start: ratio(1, 2), duration: ratio(9) }];
    const late = aTimeline(pal, { audio }, { start: ratio(2), duration: ratio(5) });
    expect(range({ inpoint: "track_begin", reference_media_track: "video" }, late)).toEqual(["2", undefined]);
    expect(range({ inpoint: "track_begin", outpoint: "track_end" }, late)).toEqual(["2", "7"]);
    expect(range({ outpoint: "track_end", reference_media_track: "audio" }, late)).toEqual(["0", "238/25"]);
  });

  test("frames of a varying rate have the times that were looked up", () => {
    const varying = aTimeline(ratio(60), {}, { averageFrameRate: ratio(24) });
    const fields = { inpoint_frame: 7, outpoint_frame: 9 };
    expect(framesAsked(trim.parse(fields))).toEqual([7, 9]);
    expect(framesAsked(trim.parse({ inpoint_frame: 7, duration_frames: 3 }))).toEqual([7, 10]);
    const times = new Map([
      [7, ratio(1, 5)],
      [9, ratio(1, 2)],
    ]);
    expect(range(fields, varying, times)).toEqual(["1/5", "1/2"]);
    expect(range({ inpoint_frame: 7, duration_frames: 2 }, varying, times)).toEqual(["1/5", "1/2"]);
    expect(refusal({ inpoint_frame: 8 }, varying, times)).toBe("t.trim.inpoint_frame 8: the picture has no such frame");
    expect(refusal(fields, varying)).toBe(
      "t.trim.inpoint_frame 7: the rate varies, and frames are counted in whole files only",
    );
  });
});

describe("refused is a trim that", () => {
  const timeline = aTimeline(pal, { timecode: "10:00:00:00" });

  test.each([
    ["ends before it begins", { inpoint_sec: 3, outpoint_sec: 2 }, "t.trim ends before it begins"],
    ["ends where it begins", { inpoint_frame: 3, outpoint_frame: 3 }, "t.trim ends before it begins"],
    [
      "has two inpoints",
      { inpoint_sec: 3, inpoint_frame: 2 },
      "t.trim has two inpoints: inpoint_sec and inpoint_frame",
    ],
    ["begins behind the end", { inpoint_sec: 9000 }, "t.trim begins at 9000 s, its source ends at 7200 s"],
    [
      ...["begins before the clock", { inpoint_asset_tc: "09:59:59:00" }],
      "t.trim.inpoint_asset_tc 09:59:59:00 is before the source's first frame, 10:00:00:00",
    ],
    [
      ...["names a frame that the rate does not have", { inpoint_tc: "00:00:00:25" }],
      "t.trim.inpoint_tc: 00:00:00:25 is not a timecode at 25/1 frames per second",
    ],
    ["names a section that is not there", { section_nr: 0 }, "t.trim.section_nr 0: the source has no sections"],
    [
      ...["follows a track that is not there", { inpoint: "track_begin", reference_media_track: "subtitle" }],
      "t.trim.reference_media_track: the source has no subtitle track",
    ],
  ] as [string, object, string][])("%s", (_name, fields, message) => {
    expect(refusal(fields, timeline)).toBe(message);
  });

  test("counts frames where there is no picture", () => {
    const sound = { ...timeline, video: [] };
    expect(refusal({ inpoint_frame: 1 }, sound)).toBe("t.trim.inpoint_frame counts frames, and there is no picture");
    expect(refusal({ inpoint_tc: "00:00:01:00" }, sound)).toBe(
      "t.trim.inpoint_tc counts frames, and the source has no frame rate",
    );
  });

  test("needs a clock that the source does not have", () => {
    expect(refusal({ inpoint_asset_tc: "00:00:01:00" }, aTimeline(pal))).toBe(
      "t.trim.inpoint_asset_tc needs a timecode, the source has none",
    );
  });
});
