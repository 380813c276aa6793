import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { channelTones, heardTones, monoTracks } from "../../helpers/media/channel-tones.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath, secondReading } from "./pairs/look.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Channels are not named: there is no ffmpeg or no ffprobe");

const [first = 0, second = 0, third = 0, low = 0, fifth = 0, sixth = 0] = channelTones;
const wide = ["left", "right", "center", "lfe_screen", "left_surround", "right_surround"];
const film = ["left", "center", "right", "left_surround", "right_surround", "lfe_screen"];
const inOrder = (count: number) => channelTones.slice(0, count);

type Case = readonly [
  name: string,
  audio: object,
  designators: readonly string[],
  tones: readonly number[],
  labels: readonly number[] | number | undefined,
];

/** A file, the names of its channels, the tone of each of them, and their labels or their mask as the file tells them. */
const cases: readonly Case[] = [
  ["four.wav", {}, ["left", "right", "center", "lfe_screen"], inOrder(4), 0xf],
  ["film.mov", {}, film, inOrder(6), [1, 3, 2, 5, 6, 4]],
  ["film.wav", {}, film, [first, third, second, sixth, low, fifth], 0x3f],
  ["turned.wav", {}, ["right", "left"], [second, first], 3],
  ["turned.mov", {}, ["right", "left"], [first, second], [2, 1]],
  ["eight.mov", {}, [...wide, "rear_surround_left", "rear_surround_right"], inOrder(8), [1, 2, 3, 4, 5, 6, 33, 34]],
  ["eight.wav", {}, [...wide, "side_left", "side_right"], inOrder(8), 0x63f],
  ["heights.mov", {}, ["left", "lfe2", "top_back_left"], inOrder(3), [1, 37, 16]],
  ["heights.wav", {}, ["left", "lfe_screen", "left_height"], inOrder(3), 0x1009],
  ["discrete.mov", {}, ["discrete_0", "discrete_15", "haptic"], inOrder(3), [65_536, 65_551, 45]],
  ["discrete.wav", {}, ["discrete_0", "discrete_15", "haptic"], inOrder(3), 0],
  ["film.aiff", {}, film, [first, third, second, sixth, low, fifth], undefined],
  [
    "film.mp4",
    { codec: "aac", bitrate_kb: 512, source: film.map((_, at) => ({ track: [0, 1, 2, 4, 5, 3][at] })) },
    film,
    [first, third, second, low, fifth, sixth],
    undefined,
  ],
  [
    "heights.mp4",
    { codec: "aac", bitrate_kb: 512 },
    ["back_center", "side_left", "side_right", "left_height", "right_height"],
    inOrder(5),
    undefined,
  ],
  ["film.flac", { codec: "flac" }, film, [first, third, second, sixth, low, fifth], undefined],
  ["film.mkv", {}, film, inOrder(6), undefined],
];

describe.skipIf(!hasTools)("channels with designators", { timeout: 120_000 }, () => {
  test("keep their sound, and are named in every container that can name them", async () => {
    await using folder = scratchFolder();
    const path = await monoTracks(join(folder.path, "in.mov"), 8);
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const targets = cases.map(([file_pattern, audio, channel_designators]) => ({
      file_pattern,
      ...{ container: { kind: file_pattern.split(".")[1] }, parameter_compliance: "relaxed" },
      audio: [
        {
          ...{ codec: "pcm", channels: channel_designators.length, channel_designators },
          ...{ source: channel_designators.map((_, track) => ({ track })), ...audio },
        },
      ],
    }));
    for (const [at, [name, , , tones, labels]] of cases.entries()) {
      const payload = { location: { path: join(folder.path, "out") }, targets: [targets[at]] };
      const { paths, verified } = await node.perform(await node.work(payload, assets));
      const heard = await heardTones(paths[0] ?? "");
      expect.soft([name, heard]).toEqual([name, tones.map((tone) => [tone])]);
      if (labels !== undefined) expect.soft([name, told(paths[0] ?? "")]).toEqual([name, labels]);
      await verified();
    }
  });
});

describe.skipIf(!hasTools || mediaInfoPath === undefined)("channels in MXF", { timeout: 120_000 }, () => {
  test.each([
    [film, "de", { ChannelLayout: "L C R Ls Rs LFE", Language: "de" }],
    [["left_total", "right_total"], undefined, { ChannelLayout: "Lt Rt" }],
    [["discrete_0", "discrete_4"], undefined, {}],
    [["left", "haptic"], undefined, undefined],
  ])(
    "%j keep their sound and are named by their labels, or it is told",
    async (channel_designators, language, wanted) => {
      await using folder = scratchFolder();
      const path = await monoTracks(join(folder.path, "in.mov"), 6);
      const node = mediaNode(folder.path);
      const source = channel_designators.map((_, track) => ({ track }));
      const audio = [{ codec: "pcm", channels: source.length, source, channel_designators, language }];
      const target = { file_pattern: "x.mxf", container: { kind: "mxf" }, video: { codec: "mpeg2" }, audio };
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
      const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
      const { made, warnings } = await node.all("transcode", payload, assets);
      const file = made[0]?.paths[0] ?? "";
      expect(await heardTones(file)).toEqual(inOrder(source.length).map((tone) => [tone]));
      expect(warnings.filter((each) => each.includes("cannot name haptic"))).toHaveLength(wanted ? 0 : 1);
      if (wanted) expect(await secondReading(file, "Audio")).toMatchObject(wanted);
      expect(readFileSync(file).includes(Buffer.from("\0c\0h\0N\0S\0C\x000\x000\x005", "latin1"))).toBe(
        channel_designators.includes("discrete_4"),
      );
    },
  );
});

describe.skipIf(!hasTools)("a source in film order", { timeout: 120_000 }, () => {
  test("has its channels at their places in every target, in joins, and as it is when it is copied", async () => {
    await using folder = scratchFolder();
    const path = await monoTracks(join(folder.path, "in.mov"), 6);
    const node = mediaNode(folder.path);
    const location = { path: join(folder.path, "out") };
    const made = async (file_pattern: string, audio: object, payload: object) => {
      const { made: all } = await node.all(
        "transcode",
        { location, targets: [{ file_pattern, audio: [audio] }] },
        await node.assets(payload),
      );
      return all[0]?.paths[0] ?? "";
    };
    const source = [0, 2, 1, 4, 5, 3].map((track) => ({ track }));
    const labelled = { codec: "pcm", channels: 6, channel_designators: film, source };
    const url = await made("film.mov", labelled, { kind: "asset_url", payload: { url: path } });
    const one = { kind: "asset_url", payload: { url } };
    const two = { kind: "asset_urls", payload: { asset_urls: [{ url }, { url }] } };
    const each = inOrder(6).map((tone) => [tone]);
    for (const [name, codec, payload] of [
      ...([
        ["a.wav", "pcm", one],
        ["b.mov", "pcm", one],
        ["c.mp4", "aac", one],
        ["d.flac", "flac", one],
      ] as const),
      ...([
        ["e.wav", "pcm", two],
        ["f.webm", "opus", two],
      ] as const),
    ])
      expect.soft([name, await heardTones(await made(name, { codec }, payload))]).toEqual([name, each]);
    const copied = await made("copied.mov", { codec: "copy" }, one);
    expect(told(copied)).toEqual([1, 3, 2, 5, 6, 4]);
    expect(await heardTones(copied)).toEqual([0, 2, 1, 4, 5, 3].map((at) => each[at]));
  });
});

/** The labels of a QuickTime file's channels, or the mask of a WAVE file's. */
const told = (path: string): number[] | number => {
  const bytes = readFileSync(path);
  if (path.endsWith(".wav")) {
    const format = bytes.indexOf("fmt ") + 8;
    return bytes.readUInt16LE(format) === 0xfffe ? bytes.readUInt32LE(format + 20) : 0;
  }
  const box = bytes.indexOf("chan");
  if (box < 0) return [];
  const [tag, count] = [bytes.readUInt32BE(box + 8), bytes.readUInt32BE(box + 16)];
  if (tag !== 0) return [-tag];
  return Array.from({ length: count }, (_, at) => bytes.readUInt32BE(box + 20 + at * 20));
};
