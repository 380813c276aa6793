import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { printGraph } from "../../../media/ffmpeg/filtergraph.ts";
import { unmetExpectations } from "../../../media/ffmpeg/verify.ts";
import { type Rational, ratio, toNumber } from "../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../shared/model/asset.ts";
import { fillArgument } from "../../../shared/work/arguments.ts";
import { first } from "../../helpers/long.ts";
import {
  compiled,
  fastH264,
  ffmpeg,
  ffmpegPath,
  ffprobePath,
  make,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const seconds = (value: Rational | undefined) => (value ? toNumber(value) : Number.NaN);
const size = "320x180";

/** Three seconds of a moving picture and a tone, with B-frames, as MP4, Matroska or transport stream. */
const film = (path: string, ...more: string[]) =>
  make(
    path,
    ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=24:duration=3`],
    ...["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=3"],
    ...["-ac", "2", ...fastH264({ group: 24, between: 2 }), "-c:a", "aac"],
    ...more,
  );

/** Three seconds of darkness and silence; at `at` one frame is white, and there a beep of 50 ms begins. */
const flashAndBeep = (path: string, at: number, rate = "24") =>
  make(
    path,
    ...["-f", "lavfi", "-i", `color=black:size=${size}:rate=${rate}:duration=3`],
    ...["-f", "lavfi", "-i", `aevalsrc='if(between(t,${at},${at}+0.05),sin(6283*t),0)':s=48000:d=3`],
    "-vf",
    `drawbox=color=white:t=fill:enable='between(t,${at - 0.004},${at + 0.004})'`,
    ...[...fastH264({ group: 24, between: 2 }), "-qp", "10", "-c:a", "pcm_s16le"],
  );

/** When the first bright frame is shown, in seconds. */
const flashTime = async (path: string): Promise<number> => {
  const filter = "signalstats,metadata=mode=print:file=-";
  const text = (await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-vf", filter, "-f", "null", "-"])).toString();
  const frames = text.split("frame:").slice(1);
  const bright = frames.find((frame) => Number(/YAVG=([\d.]+)/.exec(frame)?.[1]) > 120);
  return Number(/pts_time:([\d.]+)/.exec(bright ?? "")?.[1]);
};

/** When the first loud sample is heard, in seconds; the stream's own start counts. */
const beepTime = async (path: string, facts: MediaFacts): Promise<number> => {
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"]);
  const samples = new Int16Array(raw.buffer, raw.byteOffset, Math.floor(raw.length / 2));
  return samples.findIndex((sample) => Math.abs(sample) > 3000) / 48000 + Math.max(0, seconds(facts.audio[0]?.start));
};

/** Carries out a transcode of one target and probes the result. */
const transcoded = async (source: string, folder: string, target: object, range?: Asset["range"]) => {
  const work = await compiled("transcode", { location: { path: folder }, targets: [target] }, source, range);
  const [path = ""] = await perform(work, source, folder);
  const facts = await probe(path);
  const expected = work.outputs.t0?.expect;
  expect(expected && unmetExpectations(expected, facts)).toEqual([]);
  return { path, facts, video: facts.video[0], audio: facts.audio[0] };
};

const hashes = async (path: string, filter: string): Promise<string[]> => {
  const text = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-vf", filter, "-f", "framemd5", "-"]);
  return text
    .toString()
    .split("\n")
    .filter((line) => line && !line.startsWith("#"))
    .map((line) => line.split(",").at(-1) ?? "");
};

/** Pictures of standard definition as red, green and blue. */
const exactly =
  "scale=in_color_matrix=bt601:in_range=tv:out_range=pc:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24";

const fast = { codec: "h264", preset: "ultrafast" };

describe.skipIf(!hasTools)("with real ffmpeg", { timeout: 60_000 }, () => {
  test.each(first(["mp4", "mkv", "ts"]))(
    "every frame of an .%s source comes out, from zero to the same end",
    async (ending) => {
      await using folder = scratchFolder();
      const source = await film(join(folder.path, `in.${ending}`));
      const target = { file_pattern: "out.mp4", video: { ...fast, width: 160 }, audio: [{ codec: "aac" }] };
      const { video, audio } = await transcoded(source, folder.path, target);
      expect([video?.frames, video?.width, video?.height]).toEqual([72, 160, 90]);
      expect(seconds(video?.start)).toBeLessThan(1 / 24);
      expect(seconds(video?.duration)).toBeCloseTo(3, 2);
      expect(Math.abs(seconds(audio?.duration) - 3)).toBeLessThan(1 / 24);
    },
  );

  test("two renditions and thumbnails come out of one command", async () => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, "in.mp4"));
    const targets = [
      { file_pattern: "a.mp4", video: { ...fast, height: 180 }, audio: [{ codec: "aac", channels: 2 }] },
      { file_pattern: "b.mp4", video: { ...fast, height: 90 }, audio: [{ codec: "aac", channels: 1 }] },
      {
        file_pattern: "t_%03d.jpg",
        video: { codec: "jpeg", width: 80, image_sequence: { total_number: 4, start_number: 7 } },
      },
    ];
    const work = await compiled("transcode", { location: { path: folder.path }, targets }, source);
    expect(work.steps).toHaveLength(1);
    await perform(work, source, folder.path);
    const images = readdirSync(folder.path).filter((name) => name.startsWith("t_"));
    expect(images.sort()).toEqual(["t_007.jpg", "t_008.jpg", "t_009.jpg", "t_010.jpg"]);
    expect((await probe(join(folder.path, "t_007.jpg"))).video[0]).toMatchObject({ codec: "mjpeg", width: 80 });
  });

  test("a thumbnail is the frame at its time", async () => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, "in.mp4"));
    const video = { codec: "png", image_sequence: { total_number: 3 } };
    const work = await compiled(
      "transcode",
      { location: { path: folder.path }, targets: [{ file_pattern: "p%d.png", video }] },
      source,
    );
    await perform(work, source, folder.path);
    const all = await hashes(source, exactly);
    const made = await Promise.all([0, 1, 2].map((n) => hashes(join(folder.path, `p${n}.png`), "format=rgb24")));
    expect(made.flat().map((hash) => all.indexOf(hash))).toEqual([0, 24, 48]);
  });

  test.each(
    first([
      ["plain", {}, undefined, 1.5],
      ["trimmed", {}, { from: ratio(1), to: ratio(5, 2) }, 0.5],
      ["trimmed between frames", {}, { from: ratio(101, 100) }, 0.5],
      ["at another rate", { frame_rate: 25 }, undefined, 1.5],
      ["trimmed and at another rate", { frame_rate: "30000/1001" }, { from: ratio(1, 2) }, 1],
    ]),
  )("picture and sound stay together: %s", async (_name, more, range, at) => {
    await using folder = scratchFolder();
    const source = await flashAndBeep(join(folder.path, "in.mkv"), 1.5);
    const target = { file_pattern: "out.mov", video: { ...fast, ...more }, audio: [{ codec: "pcm" }] };
    const { path, facts } = await transcoded(source, folder.path, target, range);
    const [flash, beep] = [await flashTime(path), await beepTime(path, facts)];
    expect(Math.abs(flash - at)).toBeLessThan(1 / 24);
    expect(Math.abs(beep - at)).toBeLessThan(1 / 24);
    expect(Math.abs(flash - beep)).toBeLessThan(1 / 24);
  });

  test("AAC keeps the beep where it was", async () => {
    await using folder = scratchFolder();
    const source = await flashAndBeep(join(folder.path, "in.mkv"), 1.5, "30000/1001");
    const target = { file_pattern: "out.mp4", video: fast, audio: [{ codec: "aac", bitrate_kb: 192 }] };
    const { path, facts } = await transcoded(source, folder.path, target, { from: ratio(1), to: ratio(2) });
    expect(Math.abs((await flashTime(path)) - (await beepTime(path, facts)))).toBeLessThan(1 / 30);
  });

  test.each(
    first([
      ["mp4", 25, 49],
      ["mkv", 13, 40],
      ["ts", 30, 60],
    ]),
  )("frames %s[%i..%i) are exactly those of the source", async (ending, first, last) => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, `in.${ending}`));
    const range = { from: ratio(first, 24), to: ratio(last, 24) };
    const target = { file_pattern: "f_%03d.png", video: { codec: "png" } };
    const work = await compiled("transcode", { location: { path: folder.path }, targets: [target] }, source, range);
    await perform(work, source, folder.path);
    const images = readdirSync(folder.path)
      .filter((name) => name.startsWith("f_"))
      .sort();
    const made = await Promise.all(images.map((name) => hashes(join(folder.path, name), "format=rgb24")));
    const all = await hashes(source, exactly);
    expect(made.flat()).toEqual(all.slice(first, last));
  });

  test("ProRes comes with PCM, language and timecode", async () => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, "in.mov"), "-timecode", "10:00:00:00");
    const target = {
      ...{ file_pattern: "out{default_extension}", container: { kind: "mov", enable_data_tracks: true } },
      ...{ video: { codec: "prores", profile: "apch", frame_rate: 23.976 }, timecode: [{ source: "media" }] },
      audio: [{ codec: "pcm", sample_size: 24, channels: 2, language: "English", track_name: "It's [the] mix: 2.0" }],
    };
    const { facts, video, audio } = await transcoded(source, folder.path, target, { from: ratio(1) });
    expect([video?.codec, video?.profile, video?.frameRate, video?.pixelFormat]).toEqual([
      ...["prores", "HQ", { num: 24000, den: 1001 }, "yuv422p10le"],
    ]);
    expect([audio?.codec, audio?.language, facts.timecode]).toEqual(["pcm_s24le", "eng", "10:00:01:00"]);
  });

  test("h265 is one more codec", async () => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, "in.mp4"));
    const video = {
      codec: "h265",
      preset: "ultrafast",
      crf: 32,
      idr_interval: { frames: 12 },
      x265_options: "log-level=1",
    };
    const target = {
      file_pattern: "out.mp4",
      video: { ...video, x265_options: "aq-mode=1" },
      audio: [{ codec: "copy" }],
    };
    const made = await transcoded(source, folder.path, target);
    expect([made.video?.codec, made.video?.frames, made.audio?.codec]).toEqual(["hevc", 72, "aac"]);
  });

  test.each(
    first([
      ["two", 2, fast],
      ["five", 5, fast],
      ["three of MPEG-2", 3, { codec: "mpeg2" }],
    ]),
  )("%s passes meet the bit rate", async (_, nr_of_passes, codec) => {
    await using folder = scratchFolder();
    const source = await film(join(folder.path, "in.mp4"));
    const target = { file_pattern: "out.mp4", nr_of_passes, video: { ...codec, bitrate_kb: 400 } };
    const { video } = await transcoded(source, folder.path, target);
    expect(video?.frames).toBe(72);
    expect(Math.abs((video?.bitRate ?? 0) / 400_000 - 1)).toBeLessThan(0.25);
  });

  test("a clip turned by its phone comes out upright", async () => {
    await using folder = scratchFolder();
    const flat = await film(join(folder.path, "flat.mp4"));
    const source = join(folder.path, "in.mp4");
    await ffmpeg(["-v", "error", "-display_rotation", "90", "-i", flat, "-c", "copy", source]);
    const { video } = await transcoded(source, folder.path, { file_pattern: "out.mp4", video: { ...fast, width: 90 } });
    expect([video?.width, video?.height]).toEqual([90, 160]);
  });

  test("a source without a constant rate keeps its times", async () => {
    await using folder = scratchFolder();
    const source = join(folder.path, "in.mkv");
    const uneven = "testsrc2=size=320x180:rate=30:duration=3,select='not(between(mod(n,10),3,7))'";
    await make(
      source,
      ...["-f", "lavfi", "-i", uneven, "-fps_mode", "passthrough", "-c:v", "libx264", "-preset", "ultrafast"],
    );
    const { path, video } = await transcoded(source, folder.path, { file_pattern: "out.mp4", video: fast });
    const times = async (file: string) => {
      const text = await ffmpeg([
        "-v",
        "error",
        "-i",
        file,
        "-vf",
        "metadata=mode=add:key=k:value=v,metadata=mode=print:file=-",
        "-fps_mode",
        "passthrough",
        "-f",
        "null",
        "-",
      ]);
      return [...text.toString().matchAll(/pts_time:([\d.]+)/g)].map((found) => Number(Number(found[1]).toFixed(2)));
    };
    expect(video?.frames).toBe(45);
    expect(await times(path)).toEqual(await times(source));
  });

  test("text of any kind passes ffmpeg's parser as it is", async () => {
    const value = "it's 100% [a]:b,c;d\\e  =f ";
    const filters = [
      { name: "metadata", options: { mode: "add", key: "k", value } },
      { name: "metadata", options: { mode: "print", file: "-" } },
    ];
    const graph = fillArgument(printGraph([{ from: ["0:v"], filters, to: ["v"] }]), () => "");
    const input = ["-f", "lavfi", "-i", "color=size=16x16:rate=1:duration=1"];
    const text = await ffmpeg(["-v", "error", ...input, "-filter_complex", graph, "-map", "[v]", "-f", "null", "-"]);
    expect(text.toString()).toContain(`k=${value}\n`);
  });
});
