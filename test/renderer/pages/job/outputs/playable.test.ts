import { expect, test } from "vitest";
import { unplayable } from "../../../../../renderer/pages/job/outputs/playable.ts";
import { ratio } from "../../../../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../../../../shared/model/asset.ts";

const facts = (video: Partial<VideoFacts> | undefined, audio?: string): MediaFacts => ({
  ...{ format: "any", size: 1, others: [] },
  video: video ? [{ index: 0, codec: "h264", timeBase: ratio(1, 25), width: 16, height: 16, ...video }] : [],
  audio: audio
    ? ([{ index: 1, codec: audio, timeBase: ratio(1, 48_000), channels: 2, sampleRate: 48_000 }] as AudioFacts[])
    : [],
});

/** What Chromium says. */
const chromium = new Set([
  ...["video/mp4", "video/webm", "video/x-matroska", "audio/mp4", "audio/wav", "audio/flac", "audio/mpeg", "audio/ogg"],
  ...['video/mp4; codecs="avc1.64001f"', 'video/mp4; codecs="avc1.6e001f"', 'video/mp4; codecs="vp09.00.30.08"'],
  ...['audio/mp4; codecs="mp4a.40.2"', 'audio/mp4; codecs="opus"', 'audio/wav; codecs="1"', 'video/webm; codecs="vp8"'],
]);
const inChromium = (uri: string, media: MediaFacts | null) => unplayable(uri, media, (type) => chromium.has(type));

test.each<[string, MediaFacts | null, string | undefined]>([
  ["a.mp4", facts({}, "aac"), undefined],
  ["a.mov", facts({}, "aac"), undefined],
  ["a.mkv", facts({ codec: "vp9" }, "opus"), undefined],
  ["a.webm", facts({ codec: "vp8" }), undefined],
  ["a.wav", facts(undefined, "pcm_s24le"), undefined],
  ["a.m4a", facts(undefined, "aac"), undefined],
  ["a.mov", facts({ codec: "prores" }, "pcm_s16le"), "ProRes and PCM"],
  ["a.mov", facts({}, "pcm_s16le"), "PCM"],
  ["a.mp4", facts({ codec: "hevc" }, "aac"), "HEVC"],
  ["a.mp4", facts({}, "ac3"), "AC-3"],
  ["a.mp4", facts({ codec: "strange1" }), "strange1"],
  ["a.mp4", facts({ codec: "h264" }, "dts"), "DTS"],
  ["a.m4a", { ...facts(undefined, "aac"), video: facts({ codec: "png", isCover: true }).video }, undefined],
  ["a.mxf", facts({}, "aac"), "MXF files"],
  ["a.avi", null, "AVI files"],
  ["a.ts", facts({}, "aac"), "TS files"],
  ["a.mov", null, undefined],
  ["a.tif", null, "TIF pictures"],
  ["a.png", null, undefined],
  ["a.m3u8", null, undefined],
  ["a.srt", null, undefined],
  ["a", facts({ codec: "prores" }), undefined],
])("of %s the browser cannot play what it says", (uri, media, lost) => {
  expect(inChromium(uri, media)).toBe(lost);
});
