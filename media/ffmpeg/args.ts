import { wordsIn } from "../../shared/basics/words.ts";
import type { Arg } from "../../shared/work/arguments.ts";
import { demuxerOfPicture, safeDemuxers } from "./demuxers.ts";

/** Options by name without their dash, in the order they are written; those that are undefined are left out. */
export type Options = { readonly [name: string]: Arg | number | undefined };

/** `{ crf: 20, preset: undefined }` -> `-crf 20`. A suffix is a stream specifier: `:v`, `:a:0`. */
export const optionArgs = (options: Options, suffix = ""): Arg[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`-${name}${suffix}`, typeof value === "number" ? String(value) : value],
  );

/** How every ffmpeg is started: never asks, reports progress as text on stdout, marks each line of its log. */
export const ffmpegHead: readonly string[] = wordsIn(`
  -hide_banner -nostdin -y -loglevel level+info -progress pipe:1 -nostats -stats_period 0.1
`);

/** What the input of this name may open: one local file, by a demuxer that opens no other. */
export const safeInput = (name: string): string[] => {
  const picture = demuxerOfPicture(name);
  const limits = ["-protocol_whitelist", "file", "-format_whitelist", safeDemuxers.join(",")];
  return picture ? [...limits, "-f", picture] : limits;
};
