import { add, compare, min, type Rational, ratio, subtract, toSeconds } from "../../shared/basics/rational.ts";
import { nameOf } from "../../shared/files/location.ts";
import type { Arg } from "../../shared/work/arguments.ts";
import type { Work } from "../../shared/work/work.ts";
import { optionArgs } from "../ffmpeg/args.ts";
import { openingArgs } from "../ffmpeg/opening-args.ts";
import { hasClock } from "../formats/stream-timing.ts";
import type { SourceInput, VirtualSource } from "./virtual-source.ts";

/** The files of timelines, each once, by the ids that commands use. */
export const sourceAssets = (timelines: readonly VirtualSource[]): Work["assets"] => {
  const inputs = new Map(timelines.flatMap((timeline) => timeline.inputs.map((input) => [input.uri, input] as const)));
  return Object.fromEntries(
    [...inputs.values()].map(({ uri, pieces, images }, index) => [
      index === 0 ? "source" : `source_${index}`,
      { uri, pieces: pieces && [...pieces], images },
    ]),
  );
};

/**
 * The part of ffmpeg's command that opens a virtual source, of which the command uses the tracks with these indices.
 */
export const inputArgs = (
  { inputs, tracks, reading }: VirtualSource,
  used: readonly number[],
  assets: Work["assets"],
): Arg[] => {
  const opened = inputs.map((input, number) => {
    const own = tracks.filter(({ index }) => used.includes(index)).flatMap((track) => track.streams);
    const streams = own.filter((stream) => stream.input === number).map(({ stream }) => stream);
    const seek = reading?.noSeek ? undefined : input.seek;
    return { ...input, seek, asset: assetNamed(input.uri, assets), used: streams, args: reading?.args ?? [] };
  });
  const clocked = inputs.filter(hasClock);
  const isSteady = clocked.length > 0 && clocked.every(({ clock }) => clock?.jumps === 0);
  if (isSteady && opened.some(isAmbiguous)) return ["-copyts", ...opened.flatMap((input) => wordsOf(input, true))];
  return [...(isSteady ? noJumps : []), ...opened.flatMap((input) => wordsOf(input, false))];
};

/**
 * ffmpeg takes any time that is more than ten seconds from what it expects for a jump of the clock, even where we asked
 * it to begin there. If no clock jumps, it must not look for jumps.
 */
const noJumps = ["-dts_delta_threshold", "1000000"];

/** The name of a file in a command. */
export const assetNamed = (uri: string, assets: Work["assets"]): string =>
  Object.entries(assets).find(([, asset]) => asset.uri === uri)?.[0] ?? "";

type Opened = SourceInput & {
  readonly asset: string;
  readonly used: readonly number[];
  readonly args: readonly string[];
};

/** With `isCopied`, ffmpeg keeps the file's own time stamps, and the offset alone makes them ours. */
const wordsOf = (input: Opened, isCopied: boolean): Arg[] => {
  const { uri, seek, origin, asset } = input;
  const offset = subtract(isCopied ? ratio(0) : zeroOfFfmpeg(input), origin);
  const isShifted = seek !== undefined || offset.num !== 0;
  return [
    ...openingArgs({ name: nameOf(uri), isJoined: input.pieces !== undefined, images: input.images }),
    ...input.args,
    ...(seek ? ["-noaccurate_seek"] : []),
    ...optionArgs({ ss: seek && toSeconds(seek), itsoffset: isShifted ? toSeconds(offset) : undefined }),
    "-i",
    { asset },
  ];
};

/** ffmpeg uses the seek position as its zero, or the start of the first used stream. */
const zeroOfFfmpeg = (input: Opened): Rational =>
  add(input.seek ?? ratio(0), input.seek ? input.start : firstUsed(input));

/**
 * Whether versions of ffmpeg disagree about their zero: of a file whose first stream is not used, and that is sought in
 * or shifted.
 */
const isAmbiguous = (input: Opened): boolean => {
  const first = firstUsed(input);
  return compare(first, input.start) !== 0 && (input.seek !== undefined || compare(first, input.origin) !== 0);
};

/** Formats whose time stamps may jump: ffmpeg counts from the first of the used streams, not of all. */
const discontinuous = ["mpegts", "mpeg", "ogg", "wtv", "hls"];

const firstUsed = ({ format, start, streamStarts, used }: Opened): Rational => {
  if (!discontinuous.includes(format)) return start;
  const starts = streamStarts.filter(([stream]) => used.includes(stream)).map(([, first]) => first);
  return starts.length > 0 ? starts.reduce(min) : start;
};
