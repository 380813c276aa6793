import { expect, test } from "vitest";
import { unmetExpectations } from "../../../media/ffmpeg/verify.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";

const facts: MediaFacts = {
  ...{ format: "mov", size: 1, duration: ratio(2), others: [] },
  video: [{ index: 0, codec: "h264", width: 640, height: 360, timeBase: ratio(1, 24) }],
  audio: [{ index: 1, codec: "aac", channels: 2, sampleRate: 48000, timeBase: ratio(1, 48000) }],
};

test("an output as asked has nothing unmet", () => {
  const expected = {
    ...{ video: { codec: "h264", width: 640, height: 360 }, audio: [{ codec: "aac", channels: 2 }] },
    duration: { seconds: 2.1, tolerance: 0.2 },
  };
  expect(unmetExpectations(expected, facts)).toEqual([]);
});

test("each difference is a sentence", () => {
  const expected = {
    ...{ video: { codec: "hevc", width: 1280, height: 720 }, audio: [{ codec: "pcm_s24le", channels: 6 }] },
    duration: { seconds: 10, tolerance: 0.5 },
  };
  expect(unmetExpectations(expected, facts)).toEqual([
    "video is h264, hevc was asked for",
    "video is 640x360, 1280x720 was asked for",
    "audio track 0 is aac, pcm_s24le was asked for",
    "audio track 0 has 2 channels, 6 were asked for",
    "it lasts 2 s, 10 s were expected",
  ]);
});

test("tracks that are missing or too many are counted", () => {
  expect(unmetExpectations({ audio: [] }, facts)).toEqual(["there are 1 audio tracks, 0 were asked for"]);
  expect(unmetExpectations({ video: { codec: "h264" } }, { ...facts, video: [] })).toEqual([
    "there is no video, although it was asked for",
  ]);
});

test("pictures that a container lost are missed, a rounded end is not", () => {
  const expected = { video: { codec: "h264", frames: { count: 125, tolerance: 2 } } };
  expect([123, 125, 127].map((frames) => unmetExpectations(expected, facts, frames))).toEqual([[], [], []]);
  expect(unmetExpectations(expected, facts, 113)).toEqual(["it has 113 pictures, 125 of the source were to be in it"]);
  expect(unmetExpectations(expected, facts)).toEqual([]);
});
