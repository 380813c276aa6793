import { expect, test } from "vitest";
import { parseProbe, probeArgv } from "../../../media/ffmpeg/probe.ts";
import { mediaFacts } from "../../../shared/model/asset.ts";

const json = (streams: object[], format: object = {}) =>
  JSON.stringify({ streams, format: { format_name: "mov,mp4,m4a,3gp,3g2,mj2", ...format } });

test("streams become exact facts", () => {
  const text = json(
    [
      {
        ...{ index: 0, codec_type: "video", codec_name: "h264", profile: "High", width: 1920, height: 1080, level: 40 },
        ...{ time_base: "1/30000", start_pts: 1001, duration_ts: 30030, duration: "1.001000", nb_frames: "30" },
        ...{ r_frame_rate: "30000/1001", avg_frame_rate: "30000/1001", sample_aspect_ratio: "1:1", pix_fmt: "yuv420p" },
        ...{ field_order: "progressive", color_space: "bt709", color_range: "unknown", tags: { language: "und" } },
      },
      {
        ...{
          index: 1,
          codec_type: "audio",
          codec_name: "aac",
          channels: 6,
          channel_layout: "5.1",
          sample_rate: "48000",
        },
        ...{ time_base: "1/48000", start_pts: 0, duration_ts: 48048, bits_per_sample: 0, tags: { LANGUAGE: "eng" } },
      },
      { index: 2, codec_type: "data", time_base: "1/30000", tags: { timecode: "01:00:00;00" } },
    ],
    { start_time: "0.000000", duration: "1.001000", bit_rate: "6058269" },
  );
  expect(parseProbe(text, 1000)).toEqual({
    ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: { num: 0, den: 1 }, duration: { num: 1001, den: 1000 } },
    ...{ bitRate: 6058269, size: 1000, timecode: "01:00:00;00" },
    timecodes: [{ kind: "container", value: "01:00:00;00" }],
    video: [
      {
        ...{ index: 0, codec: "h264", profile: "High", width: 1920, height: 1080, level: 40, frames: 30 },
        ...{ timeBase: { num: 1, den: 30000 }, start: { num: 1001, den: 30000 }, duration: { num: 1001, den: 1000 } },
        ...{ frameRate: { num: 30000, den: 1001 }, averageFrameRate: { num: 30000, den: 1001 } },
        ...{ pixelAspect: { num: 1, den: 1 }, pixelFormat: "yuv420p", fieldOrder: "progressive", colorSpace: "bt709" },
      },
    ],
    audio: [
      {
        ...{ index: 1, codec: "aac", channels: 6, layout: "5.1", sampleRate: 48000, language: "eng" },
        ...{ timeBase: { num: 1, den: 48000 }, start: { num: 0, den: 1 }, duration: { num: 1001, den: 1000 } },
      },
    ],
    others: [{ index: 2, codec: "unknown", kind: "data", timeBase: { num: 1, den: 30000 }, timecode: "01:00:00;00" }],
  });
});

test("values that cannot be are absent", () => {
  const text = json([
    {
      ...{ index: 0, codec_type: "video", codec_name: "h264", width: 64, height: 64, level: -99, time_base: "0/0" },
      ...{ r_frame_rate: "90000/1", avg_frame_rate: "0/0", nb_frames: "0", sample_aspect_ratio: "0:1", start_pts: "x" },
      ...{ duration_ts: -(2 ** 63), pix_fmt: "unknown", bit_rate: "N/A" },
    },
    { index: 1, codec_type: "audio", channels: 0, sample_rate: "0" },
  ]);
  const { video, audio, others } = parseProbe(text, 0);
  expect(video[0]).toEqual({ index: 0, codec: "h264", width: 64, height: 64, timeBase: { num: 1, den: 1 } });
  expect([audio, others]).toEqual([[], [{ index: 1, codec: "unknown", kind: "audio", timeBase: { num: 1, den: 1 } }]]);
});

test("a turned picture has the size it is shown in", () => {
  const turned = { side_data_list: [{ side_data_type: "Display Matrix", rotation: -90 }] };
  const text = json([
    { index: 0, codec_type: "video", width: 1920, height: 1080, sample_aspect_ratio: "4:3", ...turned },
  ]);
  expect(parseProbe(text, 0).video[0]).toMatchObject({ width: 1080, height: 1920, pixelAspect: { num: 3, den: 4 } });
});

test("cover art and Matroska's durations are told", () => {
  const cover = { index: 0, codec_type: "video", width: 9, height: 9, disposition: { attached_pic: 1 } };
  const tagged = {
    index: 1,
    codec_type: "audio",
    channels: 2,
    sample_rate: "48000",
    tags: { DURATION: "00:01:10.500000000" },
  };
  const facts = parseProbe(json([cover, tagged]), 0);
  expect([facts.video[0]?.isCover, facts.audio[0]?.duration]).toEqual([true, { num: 141, den: 2 }]);
});

test("words of a file are short and hold no control characters", () => {
  const stream = { index: 0, codec_type: "subtitle", tags: { title: "\u0001".repeat(3_000_000), language: "de\0" } };
  const [found] = parseProbe(json([stream]), 0).others;
  expect(found).toMatchObject({ title: " ".repeat(2000), language: "de " });
});

test("a file of very many streams or chapters is refused in words", () => {
  const streams = Array.from({ length: 1001 }, (_, index) => ({ index, codec_type: "data" }));
  expect(() => parseProbe(json(streams), 0)).toThrow("expected array to have <=1000 items");
  const chapters = Array.from({ length: 10_001 }, () => ({ start_time: "0", end_time: "1" }));
  const text = JSON.stringify({ streams: [], chapters, format: { format_name: "mp4" } });
  expect(() => parseProbe(text, 0)).toThrow("has more than 10000 chapters");
});

test.each(["0/1", "1/99999999999999999999", "99999999999999999999/3"])(
  "a frame rate of %s is no frame rate, and facts fit their schema",
  (rate) => {
    const stream = { index: 0, codec_type: "video", width: 2, height: 2, r_frame_rate: rate, avg_frame_rate: rate };
    const facts = parseProbe(json([stream], { duration: "99999999999999999999" }), 0);
    expect([facts.video[0]?.frameRate, facts.video[0]?.averageFrameRate, facts.duration]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(mediaFacts.safeParse(facts).success).toBe(true);
  },
);

test("a frame rate of 0/1 that a node reports is read as none", () => {
  const stream = { index: 0, codec_type: "video", width: 2, height: 2, r_frame_rate: "25/1" };
  const facts = parseProbe(json([stream]), 0);
  const [video] = facts.video;
  const reported = { ...facts, video: [{ ...video, frameRate: { num: 0, den: 1 } }] };
  expect(mediaFacts.parse(reported).video[0]?.frameRate).toBeUndefined();
});

test("only local files are opened, by demuxers that open no other", () => {
  const argv = probeArgv("/a/b.mp4");
  const formats = argv[argv.indexOf("-format_whitelist") + 1]?.split(",") ?? [];
  expect(argv.slice(0, 4)).toEqual(["-v", "error", "-protocol_whitelist", "file"]);
  expect(argv.slice(6)).toEqual(["-show_format", "-show_streams", "-show_chapters", "-of", "json", "-i", "/a/b.mp4"]);
  const unsafe = ["hls", "dash", "concat", "imf", "sdp", "rtsp", "image2", "lavfi", "ffmetadata", "vobsub", "svg_pipe"];
  expect(formats.filter((name) => unsafe.includes(name))).toEqual([]);
});

test("a picture's demuxer is named, because ffmpeg would take its name for a pattern", () => {
  expect(probeArgv("/a/b.JPG").slice(6, 8)).toEqual(["-f", "jpeg_pipe"]);
});
