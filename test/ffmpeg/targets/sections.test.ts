import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { clip, frames } from "../../helpers/media/clips.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

type Packet = { readonly shown: number; readonly decoded: number };

/** When each packet of the picture is decoded and shown, in seconds. */
const packetsOf = (path: string): Packet[] => {
  const words = ["-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy", "-copyts", "-f", "framecrc", "-"];
  const text = execFileSync(ffmpegPath ?? "", words, { encoding: "utf8" });
  const [, num = 1, den = 1] = (/^#tb 0: (\d+)\/(\d+)/m.exec(text) ?? []).map(Number);
  return text.split("\n").flatMap((line) => {
    const [, decoded = 0, shown = 0] = line.split(",").map(Number);
    return line.startsWith("0,") ? [{ shown: (shown * num) / den, decoded: (decoded * num) / den }] : [];
  });
};
const shownAt = (path: string) =>
  packetsOf(path)
    .map(({ shown }) => shown)
    .sort((a, b) => a - b);

/** When key frames are shown. */
const keysOf = (path: string): string[] => {
  const words = ["-v", "error", "-skip_frame", "nokey", "-i", path, "-map", "0:v:0", "-f", "framecrc", "-"];
  const text = execFileSync(ffmpegPath ?? "", words, { encoding: "utf8" });
  return text.split("\n").flatMap((line) => (line.startsWith("0,") ? [line.split(",")[2]?.trim() ?? ""] : []));
};

/** The first one, in `.ci/run` a third of the others as well. */
const some = <T>(all: Readonly<Record<string, T>>) => share(Object.entries(all), (_, at) => at === 0, 3);

const lossless = { codec: "h264", preset: "ultrafast", crf: 0 };

/** The same targets in one piece and in sections of two seconds. */
const both = async (source: string, targets: readonly object[], pipeline: object = {}) => {
  const inputs = await node.assets({ kind: "asset_url", payload: { url: source } });
  const payloadTo = (name: string, more: object) => ({
    ...{ location: { path: at(name) }, source_pipeline: { ...pipeline, ...more }, targets },
  });
  const whole = await node.all("transcode", payloadTo("whole", {}), inputs);
  const cut = await node.all("transcode", payloadTo("cut", { segmented_rendering: { duration_sec: 2 } }), inputs);
  return { whole, cut, pathOf: (place: "whole" | "cut", name: string) => at(place, name) };
};

const x264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-c:a", "aac"];

const source = async (name: string, rate: string, codec: readonly string[] = x264) => {
  if (existsSync(at(name))) return at(name);
  const raw = at(`raw_${name}.mkv`);
  await clip(raw, { rate, seconds: 7, size: "160x96" });
  await make(at(name), "-i", raw, ...codec);
  return at(name);
};

/** Within a millisecond: in one piece some stamps are as coarse as the source's. */
const expectSameTimes = (many: readonly number[], one: readonly number[]) => {
  expect(many).toHaveLength(one.length);
  for (const [index, time] of many.entries()) expect(Math.abs(time - (one[index] ?? 0))).toBeLessThan(0.0011);
};

const expectSame = async (many: string, one: string) => {
  expect(await frames(many)).toEqual(await frames(one));
  expectSameTimes(shownAt(many), shownAt(one));
  const stamps = packetsOf(many).map(({ decoded }) => decoded);
  expect(stamps).toEqual([...new Set(stamps)].sort((a, b) => a - b));
};

type Case = {
  readonly source: readonly [name: string, rate: string, codec?: readonly string[]];
  readonly target?: { readonly file_pattern?: string; readonly video?: object; readonly container?: object };
  readonly pipeline?: object;
};
const slow = { codec: "h264", preset: "medium", crf: 30 };
const cases: Readonly<Record<string, Case>> = {
  "MP4 with a broadcast rate": { source: ["film.mp4", "24000/1001"] },
  "Matroska, whose stamps are milliseconds": { source: ["film.mkv", "30000/1001"] },
  "a transport stream": { source: ["film.ts", "25"] },
  "a trimmed source": {
    source: ["film.mp4", "24000/1001"],
    pipeline: { trim: { inpoint_sec: 0.7, outpoint_sec: 6.3 } },
  },
  "half as many frames": { source: ["fast.mp4", "50"], target: { video: { ...lossless, frame_rate: 25 } } },
  "other frames": { source: ["film.ts", "25"], target: { video: { ...lossless, frame_rate: "29.97" } } },
  "another size, cropped": {
    source: ["film.ts", "25"],
    target: { video: { ...lossless, width: 96, height: 64, filters: [{ kind: "crop", payload: { left: 16 } }] } },
  },
  "fields made whole": {
    source: ["fields.mp4", "25", ["-vf", "setfield=tff", ...x264, "-flags", "+ildct+ilme"]],
    target: { video: { ...lossless, interlace_mode: "progressive" } },
  },
  "a fade over a joint": {
    source: ["film.ts", "25"],
    target: {
      video: { ...lossless, filters: [{ kind: "fade", payload: { mode: "in", start_sec: 1, duration_sec: 3 } }] },
    },
  },
};

describe.skipIf(!hasTools)("pictures encoded in sections", () => {
  test.each(some(cases))("are those of one piece: %s", async (_name, { source: from, target, pipeline }) => {
    const path = await source(...from);
    const name = `${from[0]}.mp4`;
    const wanted = { file_pattern: name, video: lossless, audio: [{ codec: "aac", channels: 1 }], ...target };
    const { cut, pathOf } = await both(path, [wanted], pipeline);
    expect(cut.warnings).toEqual([]);
    expect(cut.made.map(({ uid }) => uid)).toEqual(["transcode_combiner_0"]);
    await expectSame(pathOf("cut", name), pathOf("whole", name));
  });

  const codecs = {
    "h264 with B-frames": ["b.mp4", slow],
    "mpeg2 in MXF": ["m2.mxf", { codec: "mpeg2", bitrate_kb: 2000, max_gop_frames: 12 }],
    "h264 in two passes": ["two.mp4", { codec: "h264", preset: "veryfast", bitrate_kb: 200 }, { nr_of_passes: 2 }],
    h265: ["h265.mp4", { codec: "h265", preset: "ultrafast", crf: 30 }],
    vp9: ["vp9.webm", { codec: "vp9", bitrate_kb: 100 }],
    mpeg2: ["m2.ts", { codec: "mpeg2", bitrate_kb: 2000, max_gop_frames: 12 }],
    prores: ["prores.mov", { codec: "prores", profile: "apco" }],
    "h264 in a transport stream": ["h.ts", slow],
    "h264 in Matroska": ["h.mkv", slow],
  } as const;
  test.each(some<readonly [string, object, object?]>(codecs))(
    "are as many and at the same times: %s",
    async (_name, [name, video, more = {}]) => {
      const path = await source("film.mp4", "24000/1001");
      const { cut, pathOf } = await both(path, [{ file_pattern: name, video, ...more }]);
      expect(cut.warnings).toEqual([]);
      expect(cut.made.map(({ uid }) => uid)).toEqual(["transcode_combiner_0"]);
      expectSameTimes(shownAt(pathOf("cut", name)), shownAt(pathOf("whole", name)));
      expect(await frames(pathOf("cut", name))).toHaveLength((await frames(pathOf("whole", name))).length);
    },
  );

  test("play as HLS with segments and GOPs that cross no joint, and as two targets of one decode", async () => {
    const path = await source("film.mp4", "24000/1001");
    const container = { kind: "hls", segment_duration_sec: 1 };
    const targets = [
      {
        file_pattern: "a.m3u8",
        location: { path: at("HERE", "a") },
        container,
        video: slow,
        audio: [{ codec: "aac" }],
      },
      {
        file_pattern: "b.m3u8",
        location: { path: at("HERE", "b") },
        container,
        video: { ...slow, width: 80, height: 48 },
      },
      { file_pattern: "c.jpg", video: { image_sequence: { total_number: 1 } } },
    ];
    const inputs = await node.assets({ kind: "asset_url", payload: { url: path } });
    const madeIn = async (folder: string, pipeline: object) => {
      const payload = { location: { path: at(folder) }, source_pipeline: pipeline, targets };
      return node.all("transcode", JSON.parse(JSON.stringify(payload).replaceAll("HERE", folder)), inputs);
    };
    const whole = await madeIn("hls-whole", {});
    const cut = await madeIn("hls-cut", { segmented_rendering: { duration_sec: 3 } });
    expect(cut.warnings).toEqual(whole.warnings);
    expect(cut.made.map(({ uid }) => uid)).toEqual(["transcode_combiner_0", "transcode_combiner_1", "transcode"]);
    for (const name of ["a", "b"]) {
      const [one, many] = ["hls-whole", "hls-cut"].map((folder) => at(folder, name, `${name}.m3u8`));
      expectSameTimes(shownAt(many ?? ""), shownAt(one ?? ""));
      const lengths = [one, many].map((list) => readFileSync(list ?? "", "utf8").match(/#EXTINF:[\d.]+/g));
      expect(lengths[1]).toEqual(lengths[0]);
    }
  });

  test("have the key frames of one piece: every second, and where they are forced", async () => {
    const path = await source("film.ts", "25");
    const still = { codec: "h264", preset: "veryfast", use_scene_detection: false };
    const targets = [
      { file_pattern: "regular.mp4", video: { ...still, idr_interval: { frames: 20 } } },
      { file_pattern: "forced.mp4", video: { ...still, idr_interval: { frames: 10 }, forced_keyframes: [1.04, 5.16] } },
    ];
    const { cut, pathOf } = await both(path, targets);
    expect(cut.warnings).toEqual([]);
    expect(keysOf(pathOf("cut", "regular.mp4"))).toEqual(keysOf(pathOf("whole", "regular.mp4")));
    expect(keysOf(pathOf("cut", "forced.mp4"))).toEqual(expect.arrayContaining(["0", "26", "129"]));
  });
});
