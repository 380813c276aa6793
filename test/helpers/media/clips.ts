import { join } from "node:path";
import type { Asset } from "../../../shared/model/asset.ts";
import { mediaNode } from "./media-job.ts";
import { ffmpeg, make, probe } from "./media-tools.ts";

type Clip = {
  rate?: string;
  size?: string;
  seconds?: number;
  tones?: readonly (readonly number[])[];
  sampleRate?: number;
};

/** A moving picture whose frames all differ, and tracks of sound with a tone for each channel; lossless. */
export const clip = (
  path: string,
  { rate = "25", size = "320x180", seconds = 1, tones = [[440]], sampleRate = 48_000 }: Clip = {},
) =>
  make(
    path,
    ...["-f", "lavfi", "-i", `testsrc2=size=${size}:rate=${rate}:duration=${seconds}`],
    ...tones.flatMap((track) => ["-f", "lavfi", "-i", tonesOf(track, seconds, sampleRate)]),
    ...["-map", "0:v", ...tones.flatMap((_, index) => ["-map", `${index + 1}:a`])],
    ...["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"],
  );

const tonesOf = (tones: readonly number[], seconds: number, sampleRate: number) =>
  `aevalsrc='${tones.map((tone) => `0.5*sin(2*PI*${tone}*t)`).join("|")}':s=${sampleRate}:d=${seconds}`;

export const frames = async (path: string): Promise<string[]> => {
  const text = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-f", "framemd5", "-"]);
  const lines = text.toString().split("\n");
  return lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(",").at(-1)?.trim() ?? "");
};

/** One channel of one track as samples. */
export const samples = async (path: string, track = 0, channel = 0): Promise<Int16Array> => {
  const mono = ["-map", `0:a:${track}`, "-af", `pan=mono|c0=c${channel}`, "-f", "s16le", "-"];
  const raw = await ffmpeg(["-v", "error", "-i", path, ...mono]);
  return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
};

/** How often a second the sound passes zero upwards, rounded to tens; 0 for silence. */
export const toneOf = (sound: Int16Array): number => {
  const passes = sound.filter((sample, at) => (sound[at - 1] ?? 0) < 0 && sample >= 0).length;
  return Math.round((passes * 48_000) / sound.length / 10) * 10;
};

export const tones = async (path: string, ...places: readonly (readonly [track: number, channel: number])[]) =>
  Promise.all(places.map(async ([track, channel]) => toneOf(await samples(path, track, channel))));

export const video = { codec: "h264", preset: "ultrafast", crf: 0 };
export const pcm = (channels?: number) => ({ codec: "pcm", ...(channels && { channels }) });
export const mov = (more: object = {}) => ({ file_pattern: "out.mov", video, audio: [pcm()], ...more });

export const named = (name: string, more: object = {}) => ({ kind: "name", name, ...more });
export const sequence = (folder: string, ...versions: readonly (object | readonly object[])[]) => ({
  kind: "asset_complex",
  payload: {
    kind: "sequence",
    asset_versions: versions.map((components) => ({
      location: { path: folder },
      asset_components: [components].flat(),
    })),
  },
});

/** The target made of a source, or of several that reach one transcode, as a farm would: its path, and what it is. */
export const transcoded = async (
  folder: string,
  source: object | readonly object[],
  target: object,
  more: object = {},
) => {
  const node = mediaNode(folder);
  const assets: Asset[] = [];
  for (const each of [source].flat()) assets.push(...(await node.assets(each)));
  const payload = { location: { path: join(folder, "out") }, targets: [target], ...more };
  const work = await node.work(payload, assets);
  const { paths, log } = await node.perform(work);
  const [path = ""] = paths;
  return { path, log, work, facts: await probe(path) };
};
