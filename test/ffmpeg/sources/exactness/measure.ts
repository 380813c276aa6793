import { writeFileSync } from "node:fs";
import { ffmpeg } from "../../../helpers/media/media-tools.ts";
import { randomFrom } from "../../../helpers/random/random.ts";

export const sampleRate = 48_000;

/** White noise, the same in every run: only one shift of it fits. */
export const noiseOf = (seconds: number): Int16Array => {
  const random = randomFrom(7);
  return Int16Array.from({ length: seconds * sampleRate }, () => random.integer(-9000, 9000));
};

/** Writes samples as a WAV file of one channel. */
export const writeWav = (path: string, samples: Int16Array): string => {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.byteLength, 4);
  head.write("WAVEfmt ", 8);
  for (const [at, value] of [[16, 16]] as const) head.writeUInt32LE(value, at);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.byteLength, 40);
  writeFileSync(path, Buffer.concat([head, Buffer.from(samples.buffer)]));
  return path;
};

export type Frame = { readonly hash: string /** Seconds. */; readonly time: number };

/** Every frame that a file shows, in order: what it is and when. */
export const framesOf = async (path: string): Promise<Frame[]> => {
  const text = await ffmpeg([
    ...["-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-enc_time_base", "1:90000"],
    ...["-f", "framemd5", "-"],
  ]);
  const lines = text
    .toString()
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  return lines.map((line) => {
    const fields = line.split(",").map((field) => field.trim());
    return { hash: fields.at(-1) ?? "", time: Number(fields[2]) / 90_000 };
  });
};

/** The samples of a file's first track, as one channel. */
export const samplesOf = async (path: string): Promise<Int16Array> => {
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
    String(sampleRate),
    "-f",
    "s16le",
    "-",
  ]);
  return new Int16Array(raw.buffer, raw.byteOffset, Math.floor(raw.length / 2));
};

const window = 4000;

/**
 * Samples by which sound comes too late against where in the noise it is expected (`from`): the shift within a tenth of
 * a second either way that fits best. Not a number where no shift fits.
 */
export const lagOf = (samples: Int16Array, noise: Int16Array, from: number): number => {
  const at = 1500;
  const piece = samples.subarray(at, Math.min(at + window, noise.length - from - 200));
  const shifts = Array.from({ length: 9600 }, (_, index) => index - 4800);
  const best = shifts.map((shift) => ({ shift, fit: correlation(piece, noise, from + at - shift) }));
  const [top] = best.sort((a, b) => b.fit - a.fit);
  return top && top.fit > 0.7 ? top.shift : Number.NaN;
};

const correlation = (piece: Int16Array, noise: Int16Array, begin: number): number => {
  if (begin < 0 || begin + piece.length > noise.length) return 0;
  let [product, ours, theirs] = [0, 0, 0];
  for (let index = 0; index < piece.length; index += 1) {
    const [a, b] = [piece[index] ?? 0, noise[begin + index] ?? 0];
    product += a * b;
    ours += a * a;
    theirs += b * b;
  }
  return product / Math.sqrt(ours * theirs || 1);
};
