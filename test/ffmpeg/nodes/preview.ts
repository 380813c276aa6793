import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { planPreview } from "../../../media/preview/plan.ts";
import { segmentArgs } from "../../../media/preview/segment-args.ts";
import { countSegments, segmentOf, splitSegment } from "../../../media/preview/segments.ts";
import { stillArgs } from "../../../media/preview/still-args.ts";
import { fillArgument } from "../../../shared/work/arguments.ts";
import { ffmpeg, probe } from "../../helpers/media/media-tools.ts";

/** Makes every segment of a file's preview by itself, and joins them as a player does. */
export const wholePreview = async (path: string, folder: string) => {
  const facts = await probe(path);
  const preview = planPreview(facts);
  const parts: Uint8Array[] = [];
  const inits = new Set<string>();
  for (let number = 0; number < countSegments(preview); number += 1) {
    const segment = segmentOf(preview, number);
    if (!segment) throw new Error(`there is no segment ${number}`);
    const made = join(folder, `${number}.mp4`);
    const args = segmentArgs({ name: path, facts, preview, segment, mapsTones: true });
    await ffmpeg(args.map((word) => fillArgument(word, (reference) => ("asset" in reference ? path : made))));
    const { init, media } = splitSegment(Uint8Array.from(readFileSync(made))) ?? {};
    if (!init || !media) throw new Error(`segment ${number} has no fragment`);
    inits.add(Buffer.from(init).toString("hex"));
    parts.push(...(number === 0 ? [init] : []), media);
  }
  const joined = join(folder, "joined.mp4");
  writeFileSync(joined, Buffer.concat(parts));
  return { facts, preview, joined, inits: inits.size };
};

/** Makes the still of one step. */
export const stillOf = async (path: string, folder: string, step: number): Promise<string> => {
  const facts = await probe(path);
  const args = stillArgs({ name: path, facts, preview: planPreview(facts), step, mapsTones: true });
  const made = join(folder, `${step}.jpg`);
  await ffmpeg((args ?? []).map((word) => fillArgument(word, (reference) => ("asset" in reference ? path : made))));
  return made;
};

/** "160x90 mjpeg". */
export const sizeOf = async (path: string): Promise<string> => {
  const [video] = (await probe(path)).video;
  return `${video?.width}x${video?.height} ${video?.codec}`;
};

/** Samples of a file's first sound, mixed to one channel. */
export const samplesOf = async (path: string): Promise<Int16Array> => {
  const pcm = ["-f", "s16le", "-ac", "1", "-ar", "48000", "-"];
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:a:0", ...pcm]);
  return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
};

/** How far samples are from the sine of this pitch that their two neighbours tell, at most: a gap or a click stands out. */
export const worstStep = (samples: Int16Array, pitch: number): number => {
  const turn = 2 * Math.cos((2 * Math.PI * pitch) / 48_000);
  return samples.reduce((worst, sample, at) => {
    const [before, after] = [samples[at - 1], samples[at + 1]];
    if (before === undefined || after === undefined) return worst;
    return Math.max(worst, Math.abs(before + after - turn * sample));
  }, 0);
};

/** Brightness of every frame in the middle of the picture. */
export const brightnessOf = async (path: string): Promise<number[]> => {
  const one = ["-map", "0:v:0", "-fps_mode", "passthrough", "-vf", "crop=16:16,scale=1:1,format=gray"];
  return [...(await ffmpeg(["-v", "error", "-i", path, ...one, "-f", "rawvideo", "-"]))];
};
