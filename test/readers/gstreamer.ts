import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bits, tones } from "./material.ts";

const run = promisify(execFile);

/** What GStreamer, which has decoders of its own, sees of one picture. */
export type Picture = {
  /** The number that its fields show; undefined where one is neither black nor white. */
  readonly number: number | undefined;
  readonly patch: readonly [red: number, green: number, blue: number];
};

/** A track of a file: of sound, with its channels, and of pictures, with the bits of a sample. */
export type Track = {
  readonly codec: string;
  readonly channels?: number | undefined;
  readonly depth?: number | undefined;
};

/** Formats that no decoder here reads but those of ffmpeg. */
const undecoded: ReadonlySet<string> = new Set(["prores", "dnxhd", "mpeg4", "alac", "eac3"]);

/** What GStreamer 1.22 reads wrongly, as other readers show: libde265-dec, faad and flac. */
const misread: readonly ((track: Track) => boolean)[] = [
  // Samples of 10 bits are handed on as if they were bytes.
  ({ codec, depth = 8 }) => codec === "h265" && depth > 8,
  // Eight channels stay in the order of the bitstream's elements.
  ({ codec, channels }) => codec === "aac" && channels === 8,
  // Of eight channels, `flac -d` finds the order that is wanted.
  ({ codec, channels }) => codec === "flac" && channels === 8,
];

/** Whether only ffmpeg reads this. */
export const isUnread = (track: Track): boolean => undecoded.has(track.codec) || misread.some((is) => is(track));

/** Pictures at the end of a stream that a decoder keeps for itself: mpeg2dec does not empty its delay. */
export const heldBack: Readonly<Record<string, number>> = { mpeg2: 2 };

/** Every picture of a file of that size. Throws with what GStreamer says where it reads none. */
export const readPictures = async (path: string, width: number, height: number): Promise<Picture[]> => {
  const chain = `d. ! video/x-raw ! queue ! videoconvert ! video/x-raw,format=RGBx ! fdsink fd=1`;
  const child = spawn("gst-launch-1.0", ["-q", ...words(path, chain)], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: longestMs,
  });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  const size = width * height * 4;
  const pictures: Picture[] = [];
  let rest = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= size; rest = rest.subarray(size)) pictures.push(pictureOf(rest, width, height));
  });
  const [code] = await once(child, "close");
  if (code === null) throw new ReaderCrashed(lastLine(Buffer.concat(complaints).toString()));
  if (code !== 0 || pictures.length === 0) throw new Error(lastLine(Buffer.concat(complaints).toString()));
  if (rest.length > 0) throw new Error(`its pictures are not ${width} x ${height}`);
  return pictures;
};

/** A reader that takes longer waits for itself. */
const longestMs = 60_000;

/** The reader broke, which says nothing of the file. */
export class ReaderCrashed extends Error {
  override name = "ReaderCrashed";
}

const words = (path: string, chain: string): string[] =>
  `filesrc location=${path} ! decodebin name=d ${chain}`.split(" ");

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.slice(0, 200) || "GStreamer reads nothing";

const pictureOf = (raw: Buffer, width: number, height: number): Picture => {
  const at = (x: number, y: number): [number, number, number] => {
    const place = 4 * (Math.floor(y) * width + Math.floor(x));
    return [raw[place] ?? 0, raw[place + 1] ?? 0, raw[place + 2] ?? 0];
  };
  const fields = Array.from({ length: bits }, (_, bit) => at((width * (bit + 0.5)) / bits, height * 0.8)[1]);
  const isClear = fields.every((value) => value < 80 || value > 175);
  const number = fields.reduce((sum, value, bit) => sum + (value > 128 ? 2 ** bit : 0), 0);
  return { number: isClear ? number : undefined, patch: at(width / 2, height * 0.2) };
};

export type Sound = { readonly seconds: number; readonly channels: readonly Channel[] };
/** The tone that stands out, in hertz; 0 where there is silence, undefined where several sound. */
export type Channel = { readonly tone: number | undefined };

/**
 * The first track of sound of a file, decoded. Pictures beside it that are decoded as well have somewhere to go: the decoder
 * of JPEG 2000 fails where nobody takes them.
 */
export const readSound = async (path: string, hasPictures: boolean): Promise<Sound> => {
  const folder = mkdtempSync(join(tmpdir(), "readers-"));
  try {
    const wav = join(folder, "sound.wav");
    const besides = hasPictures ? "d. ! video/x-raw ! queue ! fakesink " : "";
    const chain = `${besides}d. ! audio/x-raw ! queue ! audioconvert ! audio/x-raw,format=S16LE ! wavenc ! filesink location=${wav}`;
    await run("gst-launch-1.0", ["-q", ...words(withoutPad(path, folder), chain)], { timeout: longestMs }).catch(
      ({ signal, stderr }) => {
        throw signal ? new ReaderCrashed(String(signal)) : new Error(lastLine(String(stderr)));
      },
    );
    return soundOf(readFileSync(wav));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** wavparse finds nothing in a file that ends with the byte that fills up odd data, also in those of other programs. */
const withoutPad = (path: string, folder: string): string => {
  if (!path.endsWith(".wav")) return path;
  const bytes = readFileSync(path);
  const data = bytes.indexOf("data");
  const end = data + 8 + bytes.readUInt32LE(data + 4);
  if (end % 2 === 0 || end !== bytes.length - 1) return path;
  const plain = join(folder, "plain.wav");
  writeFileSync(plain, bytes.subarray(0, end));
  return plain;
};

const soundOf = (wav: Buffer): Sound => {
  const [channels, rate] = [wav.readUInt16LE(22), wav.readUInt32LE(24)];
  const data = wav.subarray(wav.indexOf("data") + 8);
  const length = Math.floor(data.length / 2 / channels);
  const samples = Array.from({ length: channels }, (_, channel) =>
    Float64Array.from({ length }, (_, at) => data.readInt16LE(2 * (at * channels + channel)) / 32768),
  );
  return { seconds: length / rate, channels: samples.map((each) => ({ tone: toneOf(each, rate) })) };
};

/** By Goertzel's filter at the tones that sources have, over the middle of the sound. */
const toneOf = (samples: Float64Array, rate: number): number | undefined => {
  const middle = samples.subarray(Math.floor(samples.length * 0.3), Math.floor(samples.length * 0.8));
  const levels = tones.map((tone) => ({ tone, level: levelAt(middle, tone / rate) }));
  const loud = levels.filter(({ level }) => level > 0.05);
  if (loud.length === 0) return 0;
  const [first, second] = loud.toSorted((a, b) => b.level - a.level);
  return second && first && second.level > first.level / 4 ? undefined : first?.tone;
};

const levelAt = (samples: Float64Array, cycles: number): number => {
  let [real, imaginary] = [0, 0];
  for (const [at, sample] of samples.entries()) {
    real += sample * Math.cos(2 * Math.PI * cycles * at);
    imaginary += sample * Math.sin(2 * Math.PI * cycles * at);
  }
  return (2 * Math.hypot(real, imaginary)) / Math.max(1, samples.length);
};
