import { ffmpegPath } from "../farms/media.ts";

/** What the H.264 picture and the sound of one file by hand are: the fields of the job that makes the same. */
export type Wish = {
  readonly width?: number;
  readonly height?: number;
  readonly preset: string;
  readonly bitrate_kb: number;
};

/** The command that somebody who knows ffmpeg well would write for one transcode, without any look at the source. */
export const transcodeByHand = (source: string, output: string, wish: Wish): string[] => [
  ...[ffmpegPath, "-v", "error", "-nostdin", "-y", "-i", source],
  ...outputByHand(output, wish),
];

/** The same for many outputs of one decode. */
export const transcodesByHand = (source: string, outputs: readonly string[], wish: Wish): string[] => [
  ...[ffmpegPath, "-v", "error", "-nostdin", "-y", "-i", source],
  ...outputs.flatMap((output) => outputByHand(output, wish)),
];

const outputByHand = (output: string, { width, height, preset, bitrate_kb }: Wish): string[] => [
  ...(width === undefined ? [] : ["-vf", `scale=${width}:${height}:flags=bicubic`]),
  ...["-c:v", "libx264", "-preset", preset, "-b:v", `${bitrate_kb}k`],
  ...["-c:a", "aac", "-ac", "2", "-b:a", "64k", "-movflags", "+faststart", output],
];
