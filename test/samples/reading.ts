import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { parseRational, toNumber } from "../../shared/basics/rational.ts";
import { ffmpegPath, ffprobePath } from "../helpers/media/media-tools.ts";
import { type Fields, fieldsAt, listOf, numberAt, textAt } from "./samples.ts";

const run = promisify(execFile);
// A static ffprobe crashes where it looks for the character sets of its system, which it does for transport streams.
const big = { maxBuffer: 1 << 28, env: { ...process.env, GCONV_PATH: "/nonexistent" } };

export type VideoReading = {
  readonly codec: string;
  readonly profile: string;
  readonly level: number | undefined;
  readonly width: number;
  readonly height: number;
  readonly par: number;
  readonly frameRate: number;
  readonly pixelFormat: string;
  readonly order: string;
  readonly bitrateKb: number;
  /** Frames from one key frame to the next, at most. */
  readonly longestGroup: number;
};

export type AudioReading = {
  readonly codec: string;
  readonly profile: string;
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number | undefined;
  readonly language: string | undefined;
  readonly bitrateKb: number;
};

/** A file as two programs read it that had no part in making it. */
export type Reading = {
  readonly path: string;
  readonly format: string;
  readonly brand: string | undefined;
  readonly durationSec: number;
  readonly video: readonly VideoReading[];
  readonly audio: readonly AudioReading[];
  readonly subtitles: number;
  readonly timecode: string | undefined;
  /** What the decoder says against it. */
  readonly complaints: string;
  /** What MediaInfo says of it; undefined where there is no such program. */
  readonly second: Second | undefined;
};

export type Second = {
  readonly video: readonly { readonly width: number; readonly height: number }[];
  readonly audio: readonly { readonly channels: number; readonly sampleRate: number }[];
};

export const readFile = async (path: string): Promise<Reading> => {
  const probed = await json(ffprobePath ?? "ffprobe", [
    ...quiet(path),
    "-show_streams",
    "-show_format",
    "-of",
    "json",
    path,
  ]);
  const streams = listOf(probed.streams);
  const isPlayable = streams.some(({ codec_type }) => codec_type === "video" || codec_type === "audio");
  const [packets, complaints, second] = await Promise.all([
    packetsOf(path),
    isPlayable ? decode(path) : "",
    secondReading(path),
  ]);
  const format = fieldsAt(probed, "format");
  const tags = fieldsAt(format, "tags");
  const sized = (stream: Fields) => packets.get(numberAt(stream, "index") ?? -1) ?? nothing;
  const ofKind = (kind: string) => streams.filter(({ codec_type }) => codec_type === kind);
  const pictures = ofKind("video").filter((stream) => numberAt(fieldsAt(stream, "disposition"), "attached_pic") !== 1);
  const durationSec = numberAt(format, "duration") ?? secondsOfFrames(pictures[0], sized);
  return {
    path,
    format: textAt(format, "format_name") ?? "",
    brand: textAt(tags, "major_brand"),
    durationSec,
    video: pictures.map((stream) => videoOf(stream, sized(stream), durationSec)),
    audio: ofKind("audio").map((stream) => audioOf(stream, sized(stream), durationSec)),
    subtitles: ofKind("subtitle").length,
    timecode: streams.map((stream) => textAt(fieldsAt(stream, "tags"), "timecode")).find((each) => each !== undefined),
    complaints,
    second,
  };
};

const quiet = (path: string): string[] => [
  "-v",
  "error",
  ...(/\.m3u8$/.test(path) ? ["-allowed_extensions", "ALL"] : []),
];

const json = async (program: string, argv: readonly string[]): Promise<Fields> =>
  JSON.parse((await run(program, [...argv], big)).stdout);

type Packets = { readonly count: number; readonly bytes: number; readonly longestGroup: number };
const nothing: Packets = { count: 0, bytes: 0, longestGroup: 0 };

/** Bytes and groups of each stream, counted from its packets: what headers say of bit rates is often a wish. */
const packetsOf = async (path: string): Promise<ReadonlyMap<number, Packets>> => {
  const entries = ["-show_entries", "packet=stream_index,size,flags", "-of", "csv=p=0"];
  const { stdout } = await run(ffprobePath ?? "ffprobe", [...quiet(path), ...entries, path], big);
  const found = new Map<number, { count: number; bytes: number; longestGroup: number; group: number }>();
  for (const line of stdout.split("\n").filter(Boolean)) {
    const [index = "", size = "", flags = ""] = line.split(",");
    const stream = found.get(Number(index)) ?? { count: 0, bytes: 0, longestGroup: 0, group: 0 };
    stream.count += 1;
    stream.bytes += Number(size) || 0;
    stream.group = flags.includes("K") ? 1 : stream.group + 1;
    stream.longestGroup = Math.max(stream.longestGroup, stream.group);
    found.set(Number(index), stream);
  }
  return found;
};

/** A file without stamps is as long as its pictures at their rate. */
const secondsOfFrames = (picture: Fields | undefined, sized: (stream: Fields) => Packets): number => {
  const rate = picture && quotient(textAt(picture, "r_frame_rate"));
  return rate ? sized(picture).count / rate : 0;
};

const videoOf = (stream: Fields, { bytes, longestGroup }: Packets, durationSec: number): VideoReading => ({
  codec: textAt(stream, "codec_name") ?? "",
  profile: textAt(stream, "profile") ?? "",
  level: numberAt(stream, "level"),
  width: numberAt(stream, "width") ?? 0,
  height: numberAt(stream, "height") ?? 0,
  par: quotient(textAt(stream, "sample_aspect_ratio")?.replace(":", "/")) ?? 1,
  frameRate: quotient(textAt(stream, "r_frame_rate")) ?? 0,
  pixelFormat: textAt(stream, "pix_fmt") ?? "",
  order: textAt(stream, "field_order") ?? "progressive",
  bitrateKb: rate(bytes, durationSec),
  longestGroup,
});

const audioOf = (stream: Fields, { bytes }: Packets, durationSec: number): AudioReading => ({
  codec: textAt(stream, "codec_name") ?? "",
  profile: textAt(stream, "profile") ?? "",
  channels: numberAt(stream, "channels") ?? 0,
  sampleRate: numberAt(stream, "sample_rate") ?? 0,
  bits: numberAt(stream, "bits_per_raw_sample") ?? numberAt(stream, "bits_per_sample"),
  language: textAt(fieldsAt(stream, "tags"), "language"),
  bitrateKb: rate(bytes, durationSec),
});

const rate = (bytes: number, seconds: number): number => (seconds > 0 ? (bytes * 8) / 1000 / seconds : 0);
const quotient = (text: string | undefined): number | undefined => {
  const read = text === undefined ? undefined : parseRational(text);
  return read && read.num > 0 ? toNumber(read) : undefined;
};

/** Decodes all of it, playlists with all that they name. */
const decode = async (path: string): Promise<string> => {
  const argv = [...quiet(path), "-nostdin", "-xerror", "-i", path, "-map", "0:v?", "-map", "0:a?"];
  try {
    const { stderr } = await run(ffmpegPath ?? "ffmpeg", [...argv, "-f", "null", "-"], big);
    return stderr.trim();
  } catch (problem) {
    return problem instanceof Error ? problem.message.slice(-500) : String(problem);
  }
};

/** Of tapes' pictures, MediaInfo tells the lines that are shown, and all of them apart. */
const linesOf = (track: Fields): number => {
  const all = [numberAt(track, "Stored_Height"), numberAt(track, "Height_Original")];
  return all.find((lines) => lines === 512 || lines === 608) ?? numberAt(track, "Height") ?? 0;
};

const secondReading = async (path: string): Promise<Second | undefined> => {
  const told = await json("mediainfo", ["--Output=JSON", path]).catch(() => undefined);
  if (!told) return undefined;
  const tracks = listOf(fieldsAt(told, "media").track);
  const ofKind = (kind: string) => tracks.filter((track) => track["@type"] === kind);
  return {
    video: [...ofKind("Video"), ...ofKind("Image")].map((track) => ({
      width: numberAt(track, "Width") ?? 0,
      height: linesOf(track),
    })),
    audio: ofKind("Audio").map((track) => ({
      channels: numberAt(track, "Channels") ?? 0,
      sampleRate: numberAt(track, "SamplingRate") ?? 0,
    })),
  };
};
