import { expect, test } from "vitest";
import {
  firstPacketsArgv,
  parseProbeWithFirstPackets,
  probeWithFirstPacketsArgv,
  withFirstPackets,
} from "../../../media/ffmpeg/first-packets.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";

const facts = (codec: string): MediaFacts => ({
  ...{ format: "mpegts", size: 9, audio: [], others: [] },
  video: [{ index: 0, codec, timeBase: ratio(1, 90000), width: 16, height: 16 }],
});
const frame = (...side_data_list: object[]) => JSON.stringify({ frames: [{ stream_index: 0, side_data_list }, {}] });

test("only pictures that may hide something are looked at", () => {
  const lookedAt = ["h264", "hevc", "av1", "mpeg2video", "prores", "png"].filter(
    (codec) => parseProbeWithFirstPackets(facts(codec), "{}") === undefined,
  );
  expect(lookedAt).toEqual(["h264", "hevc", "av1", "mpeg2video"]);
  expect(parseProbeWithFirstPackets({ ...facts("h264"), video: [] }, "{}")).toEqual({ ...facts("h264"), video: [] });
});

test("one look is enough where a frame of the main picture is in it, but for MPEG-2", () => {
  const json = frame({ side_data_type: "ATSC A53 Part 4 Closed Captions" });
  expect(parseProbeWithFirstPackets(facts("h264"), json)?.video[0]?.hasCaptions).toBe(true);
  expect(parseProbeWithFirstPackets(facts("mpeg2video"), json)).toBeUndefined();
  expect(parseProbeWithFirstPackets(withCover(), json)).toBeUndefined();
});

test("what a file is and its first frames are asked for at once", () => {
  expect(probeWithFirstPacketsArgv("/a/b.ts").slice(-10)).toEqual([
    ...["-show_format", "-show_streams", "-show_chapters", "-read_intervals", "%+#8", "-show_frames"],
    ...["-of", "json", "-i", "/a/b.ts"],
  ]);
});

const withCover = (): MediaFacts => {
  const [main] = facts("h264").video;
  if (!main) throw new Error("no picture");
  return {
    ...facts("h264"),
    video: [
      { ...main, isCover: true },
      { ...main, index: 3 },
    ],
  };
};

test("two frames of the main picture are asked for where a file begins with others", () => {
  expect(firstPacketsArgv(withCover(), "/a/b.ts").slice(-9)).toEqual([
    ...["-select_streams", "3", "-read_intervals", "%+#2", "-show_frames", "-of", "json", "-i", "/a/b.ts"],
  ]);
});

test("only frames of the main picture tell of it", () => {
  const fields = { interlaced_frame: 1, top_field_first: 1 };
  const of = (stream_index: number) => JSON.stringify({ frames: [{ stream_index, ...fields }] });
  expect(withFirstPackets(withCover(), of(0))).toEqual(withCover());
  expect(withFirstPackets(withCover(), of(3)).video.map(({ fieldOrder }) => fieldOrder)).toEqual([undefined, "tt"]);
});

test("timecodes and captions within the picture are told", () => {
  const json = frame(
    { side_data_type: "GOP timecode", timecode: "01:00:00:00" },
    { side_data_type: "SMPTE 12-1 timecode", timecodes: [{ value: "02:00:00;00" }] },
    { side_data_type: "ATSC A53 Part 4 Closed Captions" },
  );
  const told = withFirstPackets(
    { ...facts("mpeg2video"), timecodes: [{ kind: "container", value: "03:00:00:00" }] },
    json,
  );
  expect([told.timecodes, told.video[0]?.hasCaptions]).toEqual([
    [
      { kind: "container", value: "03:00:00:00" },
      { kind: "gop", value: "01:00:00:00" },
      { kind: "smpte", value: "02:00:00;00" },
    ],
    true,
  ]);
});

test("high dynamic range is told as encoders take it", () => {
  const json = frame(
    {
      ...{ side_data_type: "Mastering display metadata", red_x: "34000/50000", red_y: "16000/50000" },
      ...{ green_x: "13250/50000", green_y: "34500/50000", blue_x: "7500/50000", blue_y: "3000/50000" },
      ...{ white_point_x: "15635/50000", white_point_y: "16450/50000" },
      ...{ min_luminance: "50/10000", max_luminance: "10000000/10000" },
    },
    { side_data_type: "Content light level metadata", max_content: 1000, max_average: 400 },
  );
  expect(withFirstPackets(facts("hevc"), json).video[0]?.hdr).toEqual({
    masterDisplay: "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)",
    ...{ maxCll: 1000, maxFall: 400 },
  });
});

test("fields are told where the container does not", () => {
  const json = JSON.stringify({ frames: [{ stream_index: 0, interlaced_frame: 1, top_field_first: 1 }] });
  expect(withFirstPackets(facts("h264"), json).video[0]?.fieldOrder).toBe("tt");
});

test.each(["", "{", "[]", '{"frames":7}', '{"frames":[]}', '{"frames":[{}]}'])("%j changes nothing", (json) => {
  expect(withFirstPackets(facts("h264"), json)).toEqual(facts("h264"));
});
