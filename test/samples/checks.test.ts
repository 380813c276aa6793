import { expect, test } from "vitest";
import { checks, faultsOf, type Wish } from "./checks.ts";
import type { AudioReading, Reading, VideoReading } from "./reading.ts";

const wish: Wish = {
  durationSec: 10,
  target: {
    container: { kind: "mov", brand: "qt", enable_data_tracks: true },
    video: {
      ...{ codec: "h264", profile: "high", level: "4.0", width: 1280, height: "720", par: "1:1", frame_rate: 23.976 },
      ...{ chroma_format: "yuv420p", interlace_mode: "progressive", bitrate_kb: 2000, idr_interval: { seconds: "2" } },
    },
    audio: [
      { codec: "aac_lc", channels: 2, sample_rate: 48_000, language: "english", bitrate_kb: 128 },
      { codec: "pcm", channels: 6, sample_size: 24 },
      { include_if_source_has: ["audio[2]"] },
    ],
    subtitle: [{ format: "srt" }],
    timecode: [{ start_value: "01:00:00:00" }],
  },
};

const reading: Reading = {
  ...{ path: "/x.mov", format: "mov,mp4,m4a,3gp,3g2,mj2", brand: "qt  ", durationSec: 10.02, subtitles: 1 },
  ...{ timecode: "01:00:00:00", complaints: "" },
  video: [
    {
      ...{ codec: "h264", profile: "High", level: 40, width: 1280, height: 720, par: 1, frameRate: 24_000 / 1001 },
      ...{ pixelFormat: "yuv420p", order: "progressive", bitrateKb: 1900, longestGroup: 48 },
    },
  ],
  audio: [
    { codec: "aac", profile: "LC", channels: 2, sampleRate: 48_000, bits: undefined, language: "eng", bitrateKb: 120 },
    {
      codec: "pcm_s24le",
      profile: "",
      channels: 6,
      sampleRate: 48_000,
      bits: 24,
      language: undefined,
      bitrateKb: 6912,
    },
  ],
  second: {
    video: [{ width: 1280, height: 720 }],
    audio: [
      { channels: 2, sampleRate: 48_000 },
      { channels: 6, sampleRate: 48_000 },
    ],
  },
};

const withVideo = (more: Partial<VideoReading>): Reading => ({
  ...reading,
  video: reading.video.map((each) => ({ ...each, ...more })),
});

const withAudio = (track: number, more: Partial<AudioReading>): Reading => ({
  ...reading,
  audio: reading.audio.map((each, index) => (index === track ? { ...each, ...more } : each)),
});

/** For each field that is checked a file in which it is wrong. */
const altered: Readonly<Record<string, Reading>> = {
  decoding: { ...reading, complaints: "error while decoding MB 3 4" },
  "container.kind": { ...reading, format: "matroska,webm" },
  "container.brand": { ...reading, brand: "isom" },
  duration: { ...reading, durationSec: 9.8 },
  "video.count": { ...reading, video: [...reading.video, ...reading.video] },
  "audio.count": { ...reading, audio: reading.audio.slice(1, 2) },
  "subtitle.count": { ...reading, subtitles: 0 },
  timecode: { ...reading, timecode: "00:00:00:00" },
  "second reader": { ...reading, second: { video: [{ width: 1280, height: 718 }], audio: [] } },
  "video.codec": withVideo({ codec: "hevc" }),
  "video.profile": withVideo({ profile: "Main" }),
  "video.level": withVideo({ level: 41 }),
  "video.width": withVideo({ width: 1278 }),
  "video.height": withVideo({ height: 722 }),
  "video.par": withVideo({ par: 1.2 }),
  "video.frame_rate": withVideo({ frameRate: 24 }),
  "video.chroma_format": withVideo({ pixelFormat: "yuv422p" }),
  "video.interlace_mode": withVideo({ order: "tt" }),
  "video.bitrate_kb": withVideo({ bitrateKb: 3000 }),
  "video.gop": withVideo({ longestGroup: 49 }),
  "audio.codec": withAudio(0, { codec: "mp3" }),
  "audio.channels": withAudio(1, { channels: 2 }),
  "audio.sample_rate": withAudio(0, { sampleRate: 44_100 }),
  "audio.sample_size": withAudio(1, { bits: 16 }),
  "audio.language": withAudio(0, { language: undefined }),
  "audio.bitrate_kb": withAudio(0, { bitrateKb: 190 }),
};

test("a file that is as it was asked for has no fault", () => {
  expect(faultsOf(wish, reading)).toEqual([]);
});

test("every check is tried with a file in which its field is wrong", () => {
  expect(Object.keys(altered).sort()).toEqual(checks.map(({ field }) => field).sort());
});

test.each(Object.entries(altered))("%s: an altered file is found out", (field, wrong) => {
  const faults = faultsOf(wish, wrong);
  expect(faults.some((fault) => fault.startsWith(`${field} `))).toBe(true);
});

test("a bit rate may be lower than asked for where pictures need less, but not far too low", () => {
  const at = (bitrateKb: number) => faultsOf(wish, withVideo({ bitrateKb }));
  expect([at(500), at(399)]).toEqual([[], ["video.bitrate_kb is 399, not 2000"]]);
});

test("a file without its sound or picture is found out, and so is one with too many", () => {
  expect(faultsOf(wish, { ...reading, video: [] })).toContain("video.count is 0, not 1");
  const [first] = reading.audio;
  const four = first ? [first, first, first, first] : [];
  expect(faultsOf(wish, { ...reading, audio: four }).some((fault) => fault.startsWith("audio.count "))).toBe(true);
});
