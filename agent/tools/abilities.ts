import { readdir } from "node:fs/promises";
import { printTtmlTrack } from "../../media/subtitles/ttml/track.ts";
import type { Run } from "../process/run.ts";

const limitMs = 20_000;

/** The abilities of an ffmpeg, from its own lists; hardware encoders only if a test encode succeeds. */
export const measureAbilities = async (ffmpeg: string, run: Run): Promise<string[]> => {
  const ask = async (list: string): Promise<string> =>
    (await run({ command: ffmpeg, args: ["-hide_banner", list], limitMs })).stdout;
  const lists = await Promise.all([ask("-encoders"), ask("-filters"), ask("-muxers")]);
  const encoders = parseNames(lists[0], /^ [VAS][.FSXBD]{5} (\S+)/);
  const filters = parseNames(lists[1], /^ [T.][S.][C.]? +(\S+) +\S*->\S*/);
  const muxers = parseNames(lists[2], /^ +E[d ]? +(\S+)/).flatMap((names) => names.split(","));
  const working = await usableEncoders(ffmpeg, encoders, run);
  return [
    ...((await readsTtmlTracks(ffmpeg, run)) ? ["demuxer:stpp"] : []),
    ...working.map((name) => `encoder:${name}`),
    ...filters.map((name) => `filter:${name}`),
    ...muxers.map((name) => `muxer:${name}`),
  ];
};

/** Only later versions know tracks of TTML in MP4 for what they are. The file is an argument. */
const readsTtmlTracks = async (ffmpeg: string, run: Run): Promise<boolean> => {
  const file = `data:application/octet-stream;base64,${Buffer.from(printTtmlTrack([], {}), "latin1").toString("base64")}`;
  const args = ["-v", "error", "-nostdin", "-f", "mov", "-i", file, "-map", "0:s", "-c", "copy", "-f", "null", "-"];
  return (await run({ command: ffmpeg, args, limitMs })).exitCode === 0;
};

/** Names in ffmpeg's lists; versions differ in the number of flags before them. */
export const parseNames = (list: string, line: RegExp): string[] =>
  list
    .split(/\r?\n/)
    .flatMap((text) => line.exec(text)?.[1] ?? [])
    .filter((name) => name !== "=");

/** Hardware encoders by the end of their names, and the devices they require on Linux. */
const hardware: Record<string, RegExp> = {
  nvenc: /^(nvidia|dxg)/,
  qsv: /^dri$/,
  vaapi: /^dri$/,
  amf: /^(dri|dxg)$/,
  vulkan: /^(dri|nvidia|dxg)/,
  v4l2m2m: /^video\d/,
  omx: /./,
  rkmpp: /./,
  videotoolbox: /./,
  mf: /./,
  d3d12va: /./,
  mediacodec: /./,
};

const familyOf = (encoder: string): RegExp | undefined => hardware[encoder.slice(encoder.lastIndexOf("_") + 1)];

const usableEncoders = async (ffmpeg: string, names: readonly string[], run: Run): Promise<string[]> => {
  const devices = process.platform === "linux" ? await readdir("/dev") : undefined;
  const usable: string[] = [];
  // One after the other: graphics cards allow only a few sessions, and a refusal would look like a missing ability.
  for (const name of names) {
    const device = familyOf(name);
    const isThere = !device || !devices || devices.some((each) => device.test(each));
    if (isThere && (!device || (await encodes(ffmpeg, name, run)))) usable.push(name);
  }
  return usable;
};

/** Encodes five small frames and discards them. `vaapi` needs its frames on the card first. */
const encodes = async (ffmpeg: string, encoder: string, run: Run): Promise<boolean> => {
  const isAudio = /^(aac|ac3|mp3)_/.test(encoder);
  const source = isAudio ? "anullsrc=d=0.2" : "color=black:size=256x256:rate=25:duration=0.2";
  const device = encoder.endsWith("_vaapi") ? ["-vaapi_device", "/dev/dri/renderD128"] : [];
  const upload = encoder.endsWith("_vaapi") ? ["-vf", "format=nv12,hwupload"] : [];
  const output = [isAudio ? "-c:a" : "-c:v", encoder, "-f", "null", "-"];
  const args = ["-v", "error", "-nostdin", ...device, "-f", "lavfi", "-i", source, ...upload, ...output];
  return (await run({ command: ffmpeg, args, limitMs })).exitCode === 0;
};
