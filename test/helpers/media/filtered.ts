import { join } from "node:path";
import type { ElementResults } from "../../../media/elements/element.ts";
import { readResult } from "../../../media/results/index.ts";
import { mediaNode } from "./media-job.ts";
import { ffmpeg } from "./media-tools.ts";

type More = {
  readonly pipeline?: object;
  readonly target?: object;
  /** What an analysis before the transcode found out. */
  readonly analysis?: object;
};

const analysesOf = (value: object | undefined): ElementResults[] =>
  value
    ? [{ uid: "a", kind: "analyze", results: { a: { kind: "analysis", value: JSON.parse(JSON.stringify(value)) } } }]
    : [];

/** Sends a file through filters of a target; gives the path of what was made, uncoded, and the node's log. */
export const filtered = async (
  folder: string,
  path: string,
  { video, audio }: { readonly video?: object; readonly audio?: object },
  { pipeline, target, analysis }: More = {},
): Promise<{ readonly path: string; readonly log: string; readonly told: readonly string[] }> => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: path } });
  const targets = [
    {
      ...{ file_pattern: "out.nut", existing_files: "replace", ...target },
      ...(video && { video: { codec: "raw", ...video } }),
      ...(audio && { audio: [{ codec: "pcm", sample_format: "pcm_f32le", ...audio }] }),
    },
  ];
  const payload = { location: { path: join(folder, "out") }, targets, ...(pipeline && { source_pipeline: pipeline }) };
  const { paths, log, results } = await node.perform(await node.work(payload, assets, analysesOf(analysis)));
  const told = Object.values(results).flatMap((result) => readResult("told", result) ?? []);
  return { path: paths[0] ?? "", log, told };
};

export type Plane = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** The luma of every frame, as its bytes. */
export const lumaOf = async (
  path: string,
  width: number,
  height: number,
  args: readonly string[] = [],
): Promise<Plane[]> => {
  const size = width * height;
  const raw = await ffmpeg([
    ...["-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", ...args],
    ...["-f", "rawvideo", "-vf", "extractplanes=y", "-"],
  ]);
  const count = Math.floor(raw.length / size);
  return Array.from({ length: count }, (_, at) => ({
    width,
    height,
    data: new Uint8Array(raw.subarray(at * size, (at + 1) * size)),
  }));
};

/** The raw bytes of every frame. */
export const rawFrames = async (path: string, bytes: number): Promise<Buffer[]> => {
  const raw = await ffmpeg([
    "-v",
    "error",
    "-i",
    path,
    "-map",
    "0:v:0",
    "-fps_mode",
    "passthrough",
    "-f",
    "rawvideo",
    "-",
  ]);
  return Array.from({ length: Math.floor(raw.length / bytes) }, (_, at) => raw.subarray(at * bytes, (at + 1) * bytes));
};

/** Samples of the first track, all channels interleaved. */
export const soundOf = async (path: string): Promise<Float32Array> => {
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-"]);
  return new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
};
