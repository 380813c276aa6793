import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { z } from "zod";
import { ffmpeg, ffmpegPath, ffprobePath } from "../helpers/media/media-tools.ts";

const run = promisify(execFile);

/** Debian's build, beside the one that the farm uses: a second opinion. */
const prober = existsSync("/usr/bin/ffprobe") ? "/usr/bin/ffprobe" : (ffprobePath ?? "ffprobe");
const word = z.coerce.string().optional();
const number = z.coerce.number().optional();

const stream = z.looseObject({
  ...{ codec_type: z.string(), codec_name: word, profile: word, pix_fmt: word, codec_tag_string: word },
  ...{ color_space: word, color_primaries: word, color_transfer: word, color_range: word, field_order: word },
  ...{ width: number, height: number, nb_read_frames: number, channels: number, channel_layout: word },
  ...{ display_aspect_ratio: word, r_frame_rate: word, bit_rate: number, duration: number, start_time: number },
  ...{ sample_rate: number, id: word },
  tags: z.record(z.string(), z.string()).optional(),
});
const told = z.object({
  streams: z.array(stream),
  format: z.looseObject({ duration: number, size: number, start_time: number }),
});

/** What ffprobe reads of a file, with its pictures counted by decoding them. */
export const look = async (path: string) => {
  const argv = ["-v", "error", "-count_frames", "-show_streams", "-show_format", "-of", "json", path];
  const { stdout } = await run(prober, argv, { maxBuffer: 1 << 26 });
  const { streams, format } = told.parse(JSON.parse(stdout));
  const of = (type: string) => streams.filter(({ codec_type }) => codec_type === type);
  return { video: of("video")[0], audio: of("audio"), streams, format };
};

export type Levels = readonly [y: number, u: number, v: number];

/** The middle of the first picture, in the numbers of the file, as if of 8 bits. */
export const levelsOf = async (path: string): Promise<Levels> => {
  const { video } = await look(path);
  const depth = Number(/p(\d\d)(?:le|be)$/.exec(video?.pix_fmt ?? "")?.[1] ?? 8);
  const filters = "crop=iw/2:ih/2,signalstats,metadata=print:file=-";
  const text = (
    await ffmpeg(["-v", "error", "-i", path, "-frames:v", "1", "-vf", filters, "-f", "null", "-"])
  ).toString();
  const level = (plane: string) => Number(new RegExp(`${plane}AVG=([0-9.]+)`).exec(text)?.[1]) / 2 ** (depth - 8);
  return [level("Y"), level("U"), level("V")];
};

const weights: Readonly<Record<string, readonly [red: number, blue: number]>> = {
  bt709: [0.2126, 0.0722],
  bt601: [0.299, 0.114],
};

/** The numbers of a colour, as a matrix and a range say. */
export const numbersOf = (rgb: readonly [number, number, number], matrix: string, isFull: boolean): Levels => {
  const [red, blue] = weights[matrix === "bt709" ? "bt709" : "bt601"] ?? [0, 0];
  const [r, g, b] = rgb.map((value) => value / 255) as [number, number, number]; // three go in, three come out
  const luma = red * r + (1 - red - blue) * g + blue * b;
  const [base, high, wide] = isFull ? [0, 255, 255] : [16, 219, 224];
  return [
    base + high * luma,
    128 + (wide * (b - luma)) / (2 * (1 - blue)),
    128 + (wide * (r - luma)) / (2 * (1 - red)),
  ];
};

export const isNear = (one: Levels, other: Levels, tolerance = 3): boolean =>
  one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= tolerance);

export type Loudness = { readonly integrated: number; readonly truePeak: number; readonly range: number };

/** By EBU R 128. */
export const loudnessOf = async (path: string, track = 0): Promise<Loudness> => {
  const argv = [
    "-hide_banner",
    "-nostats",
    "-i",
    path,
    "-map",
    `0:a:${track}`,
    "-af",
    "ebur128=peak=true",
    "-f",
    "null",
    "-",
  ];
  const { stderr } = await run(ffmpegPath ?? "ffmpeg", argv, { maxBuffer: 1 << 27 });
  const summary = stderr.slice(stderr.lastIndexOf("Summary:"));
  const value = (name: string) => Number(new RegExp(`${name}:\\s+(-?[0-9.]+)`).exec(summary)?.[1]);
  return { integrated: value("I"), truePeak: value("Peak"), range: value("LRA") };
};

/** The highest sample and the root of the mean square, in dBFS, over all channels. */
export const sampleLevels = async (path: string): Promise<{ readonly peak: number; readonly rms: number }> => {
  const argv = [
    "-hide_banner",
    "-nostats",
    "-i",
    path,
    "-map",
    "0:a:0",
    "-af",
    "astats=measure_perchannel=none",
    "-f",
    "null",
    "-",
  ];
  const { stderr } = await run(ffmpegPath ?? "ffmpeg", argv);
  const value = (name: string) => Number(new RegExp(`${name} level dB:\\s+(-?[0-9.]+)`).exec(stderr)?.[1]);
  return { peak: value("Peak"), rms: value("RMS") };
};

/** How long the first track of sound lasts once it is decoded. */
export const secondsOf = async (path: string): Promise<number> => {
  const raw = await ffmpeg([
    "-v",
    "error",
    "-i",
    path,
    "-map",
    "0:a:0",
    "-ac",
    "1",
    "-ar",
    "48000",
    "-f",
    "s16le",
    "-",
  ]);
  return raw.length / 2 / 48_000;
};

/** A part of a whole: where it begins and ends. */
type Part = readonly [begin: number, end: number];

/** Passes through zero a second of each channel of the first track, to tens, within a part of it. */
export const tonesOf = async (path: string, channels: number, [begin, end]: Part = [0.3, 0.8]): Promise<number[]> => {
  const argv = ["-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-c:a", "pcm_f32le", "-"];
  const raw = await ffmpeg(argv);
  const all = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength));
  const length = Math.floor(all.length / channels);
  const [from, to] = [Math.floor(length * begin), Math.floor(length * end)];
  return Array.from({ length: channels }, (_, channel) => {
    const at = (index: number) => all[index * channels + channel] ?? 0;
    let passes = 0;
    for (let index = from + 1; index < to; index += 1) if (at(index - 1) < 0 && at(index) >= 0) passes += 1;
    return Math.round((passes * 48_000) / (to - from) / 10) * 10;
  });
};

/** Times of the packets of one kind in seconds, in the order of the file. */
export const packetTimes = async (path: string, stream: string): Promise<number[]> => {
  const argv = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0", path];
  const { stdout } = await run(prober, argv, { maxBuffer: 1 << 26 });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => Number.parseFloat(line));
};

/** The bytes of all packets of the picture. */
export const pictureBytes = async (path: string): Promise<number> => {
  const argv = ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=size", "-of", "csv=p=0", path];
  const { stdout } = await run(prober, argv, { maxBuffer: 1 << 26 });
  return stdout
    .split("\n")
    .filter(Boolean)
    .reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
};

export const textOf = (path: string): string => readFileSync(path, "utf8");

/** The notes of a file of texts, as ffmpeg reads them. */
export const notesIn = async (path: string): Promise<string> =>
  (await ffmpeg(["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"])).toString();
