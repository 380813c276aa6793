import { expect, test } from "vitest";
import { buildMediaInfo } from "../../../media/formats/media-info.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";

const facts: MediaFacts = {
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", size: 163_718_122, bitRate: 529_937, others: [] },
  ...{ start: ratio(0), duration: ratio(247_151, 100), timecode: "01:00:00:00" },
  ...{
    brand: "mp42",
    compatibleBrands: ["isom", "mp42"],
    isStreamable: true,
    writer: "Lavf61",
    encoded: "2026-01-02T03:04:05.000000Z",
  },
  video: [
    {
      ...{ index: 0, id: 1, codec: "h264", profile: "High", level: 41, timeBase: ratio(1, 24000), bitRate: 400_000 },
      ...{ start: ratio(0), duration: ratio(1001, 24000), width: 640, height: 360, pixelFormat: "yuv420p" },
      ...{ frameRate: ratio(24000, 1001), averageFrameRate: ratio(24000, 1001), colorRange: "tv", hasBFrames: true },
      frames: 59_257,
    },
  ],
  audio: [
    {
      ...{ index: 1, id: 2, codec: "aac", profile: "LC", timeBase: ratio(1, 48000), bitRate: 127_993, channels: 6 },
      ...{ layout: "5.1", sampleRate: 48_000, language: "eng", start: ratio(-256, 48_000) },
    },
  ],
};

test("facts become media_info: the asset, then its tracks", () => {
  expect(buildMediaInfo(facts, { url: "file:///a/b.mp4", modified: 5 })).toEqual([
    {
      ...{ stream_type: "ASSET", duration: 2471.51, duration_otb: 348_779_491_200, first_pts: 0, first_pts_otb: 0 },
      ...{ bit_per_sec: 529_937, stream_size: 163_718_122 },
      ASSET: {
        ...{ url: "file:///a/b.mp4", format: "mp4", total_size: 163_718_122, modified: 5 },
        ...{
          content_type: "video/mp4",
          probe_style: "deep",
          format_profile: "Base Media / Version 2",
          is_streamable: true,
        },
        ...{ format_compatibility: "isom/mp42", creator: "Lavf61", encoded_date: "2026-01-02T03:04:05.000000Z" },
      },
    },
    {
      ...{ stream_type: "VIDEO", id: 1, index: 0, sub_index: 0, codec: "h264", codec_profile: "High@L4.1" },
      ...{ bit_per_sec: 400_000, duration: 1001 / 24000, duration_otb: 5_885_880, first_pts: 0, first_pts_otb: 0 },
      ...{ frame_rate: 24000 / 1001, frame_duration_otb: 5_885_880, frames: 59_257, stream_size: 2085, delay_ms: 0 },
      VIDEO: {
        ...{ width: 640, height: 360, clean_aperture_width: 640, clean_aperture_height: 360, format: "AVC" },
        ...{ bit_resolution: 8, bits_per_pixel: 8, encoded_bits_per_pixel: 0.072, chroma_subsampling: "CS_420" },
        ...{ color_space: "YUV", color_range: "Limited", framerate_mode: "CONSTANT", interlace_mode: "PROGRESSIVE" },
        ...{ pixel_ar: 1, pixel_ar_exact: "1", display_ar: 1.777778, has_bframes: true, timecode: "01:00:00:00" },
      },
    },
    {
      ...{ stream_type: "AUDIO", id: 2, index: 1, sub_index: 0, codec: "aac", codec_profile: "LC" },
      ...{ bit_per_sec: 127_993, first_pts: -256 / 48_000, first_pts_otb: -752_640 },
      ...{ frame_rate: 48_000, frame_duration_otb: 2940, delay_ms: -5 },
      ...{ first_dts: -256 / 48_000, first_dts_otb: -752_640 },
      AUDIO: {
        ...{ nr_channels: 6, channel_order: "L R C LFE Ls Rs", designators: ["L", "R", "C", "LFE", "Ls", "Rs"] },
        language: "eng",
      },
    },
  ]);
});

test("what is not known is left out, covers too", () => {
  const unnamed = { content_type: "application/octet-stream", probe_style: "deep" };
  const cover = { index: 0, codec: "mjpeg", timeBase: ratio(1), width: 9, height: 9, isCover: true };
  expect(buildMediaInfo({ format: "mp3", size: 3, video: [cover], audio: [], others: [] }, { url: "x" })).toEqual([
    { stream_type: "ASSET", stream_size: 3, ASSET: { ...unnamed, url: "x", format: "mp3", total_size: 3 } },
  ]);
});

test("codecs with frames of one size have a constant bit rate, others are not guessed", () => {
  const [{ index, ...sound }] = facts.audio as [(typeof facts.audio)[number]]; // there is one
  const codecs = ["pcm_s24le", "ac3", "flac", "aac"];
  const audio = codecs.map((codec, at) => ({ ...sound, index: index + at, codec }));
  const told = buildMediaInfo({ ...facts, audio }, { url: "x" }).slice(2);
  expect(told.map(({ bitrate_mode: mode }) => mode)).toEqual(["CBR", "CBR", "VBR", undefined]);
});
