import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toNumber } from "../../shared/rational.ts";
import { mediaNode } from "../helpers/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../helpers/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const lossless = ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"];

/** A moving picture whose frames all differ, and a tone for each channel. */
const clip = (path: string, { rate = "25", size = "320x180", seconds = 1, tones = [440] as number[] } = {}) =>
  make(
    path,
    ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
    ...(tones.length > 0 ? ["-f", "lavfi", "-i", tonesOf(tones, seconds)] : []),
    ...lossless,
  );

const tonesOf = (tones: readonly number[], seconds: number) =>
  `aevalsrc='${tones.map((tone) => `0.5*sin(2*PI*${tone}*t)`).join("|")}':s=48000:d=${seconds}`;

const frames = async (path: string): Promise<string[]> => {
  const text = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]);
  return linesOf(text).map((line) => line.split(",").at(-1)?.trim() ?? "");
};

const linesOf = (text: Buffer) =>
  text
    .toString()
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));

/** One channel of one track as samples. */
const samples = async (path: string, track = 0, channel = 0): Promise<Int16Array> => {
  const argv = [
    "-v",
    "error",
    "-i",
    path,
    "-map",
    `0:a:${track}`,
    "-af",
    `pan=mono|c0=c${channel}`,
    "-f",
    "s16le",
    "-",
  ];
  const raw = await ffmpeg(argv);
  return new Int16Array(raw.buffer, raw.byteOffset, Math.floor(raw.length / 2));
};

/** How many times a second the sound passes zero upwards: its tone. */
const toneOf = (sound: Int16Array): number => {
  let passes = 0;
  for (let at = 1; at < sound.length; at += 1) if ((sound[at - 1] ?? 0) < 0 && (sound[at] ?? 0) >= 0) passes += 1;
  return Math.round(passes / (sound.length / 48_000));
};

const near = (found: number, wanted: number) => Math.abs(found - wanted) <= wanted / 50 + 2;

const target = (audio: object[] = [{ codec: "pcm" }]) => ({
  ...{ file_pattern: "out.mov", existing_files: "replace", video: { codec: "png", chroma_format: "rgb24" }, audio },
});

describe.skipIf(!hasTools)("with real ffmpeg", { timeout: 60_000 }, () => {
  const made = async (folder: string, source: object, wish: object) => {
    const node = mediaNode(folder);
    const assets = await node.assets(source);
    const work = await node.work({ location: { path: join(folder, "out") }, targets: [wish] }, assets);
    const { paths } = await node.perform(work);
    const [path = ""] = paths;
    return { path, work, assets, facts: await probe(path) };
  };
  const file = (name: string, more: object = {}) => ({ kind: "name", name, ...more });
  const sequence = (folder: string, ...components: object[]) => ({
    kind: "asset_complex",
    payload: {
      kind: "sequence",
      asset_versions: components.map((component) => ({
        location: { path: folder },
        asset_components: [component].flat(),
      })),
    },
  });

  test("clips in a sequence follow one another, frame by frame and sample by sample", async () => {
    await using folder = scratchFolder();
    await clip(join(folder.path, "a.mkv"), { seconds: 1, tones: [440] });
    await clip(join(folder.path, "b.mkv"), { seconds: 2, tones: [880] });
    const cut = { trim: { inpoint_sec: 0.4, outpoint_sec: 1.2 } };
    const source = sequence(folder.path, file("a.mkv"), file("b.mkv", cut), file("a.mkv"));
    const { path, facts } = await made(folder.path, source, target());
    const [a, b] = [await frames(join(folder.path, "a.mkv")), await frames(join(folder.path, "b.mkv"))];
    expect(await frames(path)).toEqual([...a, ...b.slice(10, 30), ...a]);
    const sound = await samples(path);
    expect(sound.length).toBe(48_000 * 2.8);
    const parts = [sound.slice(0, 48_000), sound.slice(48_000, 86_400), sound.slice(86_400)];
    expect(parts.map(toneOf).map((tone, at) => near(tone, [440, 880, 440][at] ?? 0))).toEqual([true, true, true]);
    const own = await samples(join(folder.path, "a.mkv"));
    expect(Buffer.from(parts[0]?.buffer ?? [], 0, 96_000).equals(Buffer.from(own.buffer, own.byteOffset, 96_000))).toBe(
      true,
    );
    expect(toNumber(facts.duration ?? { num: 0, den: 1 })).toBeCloseTo(2.8, 3);
  });
});
