import { add, min, type Rational, ratio, subtract, toSeconds } from "../../shared/basics/rational.ts";
import { nameOf } from "../../shared/files/location.ts";
import type { Arg } from "../../shared/work/arguments.ts";
import type { Work } from "../../shared/work/work.ts";
import { optionArgs } from "../ffmpeg/args.ts";
import { openingArgs } from "../ffmpeg/opening-args.ts";
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
): Arg[] =>
  inputs.flatMap((input, number) => {
    const streams = tracks.filter(({ index }) => used.includes(index)).flatMap((track) => track.streams);
    const own = streams.filter((stream) => stream.input === number).map(({ stream }) => stream);
    const asset = assetNamed(input.uri, assets);
    const seek = reading?.noSeek ? undefined : input.seek;
    return wordsOf({ ...input, seek, asset, used: own, args: reading?.args ?? [] });
  });

/** The name of a file in a command. */
export const assetNamed = (uri: string, assets: Work["assets"]): string =>
  Object.entries(assets).find(([, asset]) => asset.uri === uri)?.[0] ?? "";

type Opened = SourceInput & {
  readonly asset: string;
  readonly used: readonly number[];
  readonly args: readonly string[];
};

const wordsOf = (input: Opened): Arg[] => {
  const { uri, seek, origin, asset } = input;
  // ffmpeg uses the seek position as its zero; the offset converts it to ours.
  const offset = subtract(add(seek ?? ratio(0), countedFrom(input)), origin);
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

/** Formats whose time stamps may jump: ffmpeg counts from the first of the used streams, not of all. */
const discontinuous = ["mpegts", "mpeg", "ogg", "wtv", "hls"];

const countedFrom = ({ format, start, streamStarts, used }: Opened): Rational => {
  if (!discontinuous.includes(format)) return start;
  const starts = streamStarts.filter(([stream]) => used.includes(stream)).map(([, first]) => first);
  return starts.length > 0 ? starts.reduce(min) : start;
};
