import { expect, test } from "vitest";
import { carriedChannels } from "../../../../../media/elements/transcode/audio/carried.ts";
import { audioCodecs } from "../../../../../media/elements/transcode/audio/index.ts";
import { channelNamesOf } from "../../../../../media/ffmpeg/layouts.ts";

const carried = (codec: string, layout: string, muxer = "mp4") => {
  const found = audioCodecs.find(({ names }) => names.includes(codec));
  if (!found) throw new Error(`there is no ${codec}`);
  const { layouts, channels: counts, maxChannels: most } = found;
  const names = channelNamesOf(layout);
  return carriedChannels({ names, layout, layouts: layouts?.(codec, muxer), counts, most, exactly: undefined });
};

const wide = [
  "stereo",
  "3.0(back)",
  "quad",
  "quad(side)",
  "5.1(side)",
  "6.0(front)",
  "6.1(front)",
  "7.1(wide)",
  "cube",
];

test.each(audioCodecs.map(({ names: [name = ""] }) => name))("%s never makes one channel of several", (codec) => {
  for (const layout of wide) expect([layout, carried(codec, layout).channels]).not.toEqual([layout, 1]);
});

test("what stands behind the listener stays on its side where only two channels are left", () => {
  expect(carried("mp3", "quad")).toMatchObject({ channels: 2, layout: "stereo" });
  expect(carried("mp3", "quad").told.join()).toContain("BL is in FL; BR is in FR");
  expect(carried("aac", "cube").channels).toBeGreaterThanOrEqual(5);
});

test("FLAC has every layout where a comment names it, and the usual ones of its numbers elsewhere", () => {
  for (const muxer of ["flac", "matroska"])
    expect(carried("flac", "3.1", muxer)).toMatchObject({ channels: 4, filters: [], told: [] });
  for (const muxer of ["mp4", "dash", "ogg"]) {
    expect(carried("flac", "3.1", muxer)).toMatchObject({ channels: 6, layout: "5.1" });
    expect(carried("flac", "quad", muxer)).toMatchObject({ channels: 4, filters: [], told: [] });
  }
});
