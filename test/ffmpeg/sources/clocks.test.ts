import { appendFileSync, copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { named, samples, sequence, toneOf } from "../../helpers/media/clips.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Clocks of streams are not tried: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

/** Pictures whose bars tell their number in eight bits, and a tone that is 100 Hz higher with each second. */
const film = (path: string, seconds: number, first: number, ...codec: string[]) =>
  make(
    path,
    ...["-f", "lavfi", "-i"],
    `nullsrc=s=128x64:r=25:d=${seconds},geq=lum='if(mod(floor((N+${first * 25})/pow(2,floor(X/16))),2),200,40)':cb=128:cr=128`,
    ...["-f", "lavfi", "-i", `aevalsrc='0.5*sin(2*PI*(500+100*floor(t+${first}))*t)':s=48000:d=${seconds}`],
    ...codec,
  );

const h264 = [..."-c:v libx264 -preset veryfast -g 25 -pix_fmt yuv420p -c:a aac".split(" ")];
const mpeg2 = [..."-c:v mpeg2video -q:v 3 -pix_fmt yuv420p -c:a mp2".split(" ")];
const from = (seconds: number) => ["-output_ts_offset", String(seconds)];

/** Twelve seconds in two files, the second of which counts from elsewhere. */
const broken = async (path: string, [one, other]: readonly [number, number]) => {
  await film(`${path}.1.ts`, 6, 0, ...h264, ...from(one));
  await film(`${path}.2.ts`, 6, 6, ...h264, ...from(other));
  copyFileSync(`${path}.1.ts`, path);
  appendFileSync(path, readFileSync(`${path}.2.ts`));
};

/** The file of each kind of clock; all show the same film. */
const kinds: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  "plain.ts": (path) => film(path, 12, 0, ...h264),
  "plain.m2ts": (path) => film(path, 12, 0, ...h264, "-mpegts_m2ts_mode", "1"),
  "plain.mpg": (path) => film(path, 12, 0, ...mpeg2, "-f", "vob"),
  "long_groups.ts": (path) => film(path, 12, 0, ...h264, "-g", "250", "-sc_threshold", "0"),
  "late.ts": (path) => film(path, 12, 0, ...h264, ...from(50_000)),
  "wrap.ts": (path) => film(path, 12, 0, ...h264, ...from(95_440)),
  "forward.ts": (path) => broken(path, [0, 3600]),
  "back.ts": (path) => broken(path, [3600, 0]),
  "short_back.ts": (path) => broken(path, [0, 2]),
};

/** The part of the film that a use shows, in seconds. */
const uses = {
  whole: [0, 12],
  trim: [10.4, 11.6],
  sections: [0, 12],
  join: [0, 13.2],
} as const;
type Use = keyof typeof uses;

const numbersIn = async (path: string): Promise<number[]> => {
  const gray = ["-vf", "format=gray", "-fps_mode", "passthrough", "-f", "rawvideo", "-"];
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", ...gray]);
  const bits = [0, 1, 2, 3, 4, 5, 6, 7];
  return Array.from({ length: raw.length / 8192 }, (_, frame) =>
    bits.reduce((sum, bit) => sum + ((raw[frame * 8192 + 32 * 128 + bit * 16 + 8] ?? 0) > 120 ? 2 ** bit : 0), 0),
  );
};

/** The tone of each whole second, but not at its ends. */
const tonesIn = async (path: string): Promise<number[]> => {
  const sound = await samples(path);
  return Array.from({ length: Math.round(sound.length / 48_000) }, (_, second) =>
    toneOf(sound.subarray(second * 48_000 + 4800, second * 48_000 + 43_200)),
  );
};

const target = {
  ...{ file_pattern: "out.mov", container: { kind: "mov" } },
  ...{ video: { codec: "h264", preset: "ultrafast", crf: 12 }, audio: [{ codec: "pcm" }] },
};

const used = async (name: string, use: Use): Promise<string> => {
  const cut = { trim: { inpoint_sec: 10.4, outpoint_sec: 11.6 } };
  const source =
    use === "join"
      ? sequence(folder.path, named(name), named(name, cut))
      : { kind: "asset_url", payload: { url: `file://${at(name)}` } };
  const payload = {
    ...{ location: { path: at(`${name}_${use}`) } },
    targets: [{ ...target, ...(use === "trim" && cut) }],
    ...(use === "sections" && { source_pipeline: { segmented_rendering: { duration_sec: 5 } } }),
  };
  const { made } = await node.all("transcode", payload, await node.assets(source));
  return made.flatMap(({ paths }) => paths).at(-1) ?? "";
};

const all = Object.keys(kinds).flatMap((name) => (Object.keys(uses) as Use[]).map((use) => [name, use] as const));
/** One use of each kind; of those that were wrong before, the one that was. */
const shown = [
  "plain.ts sections",
  "plain.mpg join",
  "long_groups.ts trim",
  "wrap.ts whole",
  "forward.ts join",
  "back.ts trim",
];
const tried = share(all, ([name, use]) => shown.includes(`${name} ${use}`), 6);

describe.skipIf(!hasTools)("every frame and tone is there", { timeout: 120_000 }, () => {
  beforeAll(async () => {
    for (const name of new Set(tried.map(([each]) => each))) await kinds[name]?.(at(name));
  });

  test.each(tried)("%s, %s", async (name, use) => {
    const path = await used(name, use);
    const [begin, end] = uses[use];
    const seconds = use === "join" ? [...range(0, 300), ...range(260, 290)] : range(begin * 25, end * 25);
    expect(await numbersIn(path)).toEqual(seconds.map((frame) => frame % 256));
    if (use !== "whole" && use !== "sections") return;
    expect(await tonesIn(path)).toEqual(range(0, 12).map((second) => 500 + 100 * second));
  });

  test("a cue at the start of a stream of constant rate is no part of its length", async () => {
    const source = await film(at("cued.mp4"), 4, 0, ...h264);
    const cue = { spliceEventId: 1, outOfNetworkIndicator: false, program: { spliceTime: { ptsTime: 0 } } };
    const container = { kind: "mpegts", muxrate_kb: 2000, scte35: { scte35_sections: [cue].map(sectionOf) } };
    const cut = { ...target, file_pattern: "cued.ts", container, audio: [{ codec: "aac" }], trim: { inpoint_sec: 1 } };
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${source}` } });
    const { made } = await node.all("transcode", { location: { path: at("cued") }, targets: [cut] }, assets);
    expect(await numbersIn(made[0]?.paths[0] ?? "")).toEqual(range(25, 100));
  });
});

const sectionOf = (spliceInsert: object) => ({ spliceInfoSection: { spliceInsert } });

const range = (first: number, end: number): number[] =>
  Array.from({ length: Math.round(end) - Math.round(first) }, (_, index) => Math.round(first) + index);
