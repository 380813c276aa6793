import { safeInput, words } from "../ffmpeg/args.ts";
import { nameOf } from "../location.ts";
import { add, min, type Rational, ratio, subtract, toSeconds } from "../rational.ts";
import type { Arg, Work } from "../work.ts";
import { assetIdOf, type SourceInput, type VirtualSource } from "./virtual-source.ts";

/** The part of ffmpeg's command that opens a virtual source, of which the command uses the tracks of these indices. */
export const inputWords = ({ inputs, tracks }: VirtualSource, used: readonly number[]): Arg[] =>
  inputs.flatMap((input, number) => {
    const streams = tracks.filter(({ index }) => used.includes(index)).flatMap((track) => track.streams);
    const own = streams.filter((stream) => stream.input === number).map(({ stream }) => stream);
    return wordsOf(input, number, own);
  });

/** The files that the command opens, by the ids that its words name. */
export const sourceAssets = ({ inputs }: VirtualSource): Work["assets"] =>
  Object.fromEntries(inputs.map(({ uri }, input) => [assetIdOf(input), { uri }]));

const wordsOf = (input: SourceInput, number: number, streams: readonly number[]): Arg[] => {
  const { uri, seek, origin } = input;
  // ffmpeg makes the instant that it seeks to its zero; the offset makes it ours.
  const offset = subtract(add(seek ?? ratio(0), countedFrom(input, streams)), origin);
  const isShifted = seek !== undefined || offset.num !== 0;
  return [
    ...safeInput(nameOf(uri)),
    ...(seek ? ["-noaccurate_seek"] : []),
    ...words({ ss: seek && toSeconds(seek), itsoffset: isShifted ? toSeconds(offset) : undefined }),
    ...["-i", { asset: assetIdOf(number) }],
  ];
};

/** Formats whose stamps may jump: ffmpeg counts from the first of the streams that are used, not of all. */
const discontinuous = ["mpegts", "mpeg", "ogg", "wtv", "hls"];

const countedFrom = ({ format, start, streamStarts }: SourceInput, streams: readonly number[]): Rational => {
  if (!discontinuous.includes(format)) return start;
  const starts = streamStarts.filter(([stream]) => streams.includes(stream)).map(([, first]) => first);
  return starts.length > 0 ? starts.reduce(min) : start;
};
