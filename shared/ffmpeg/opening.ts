import type { ImageSequence } from "../asset.ts";
import { TaskError } from "../causes.ts";
import { toFraction } from "../rational.ts";
import { safeInput } from "./args.ts";
import { joinedDemuxers } from "./demuxers.ts";

/** What is opened: a plain file, joined bytes, or a sequence of pictures. */
type Opened = {
  readonly name: string;
  readonly isJoined?: boolean;
  readonly images?: ImageSequence;
};

/** Options before `-i` that say by what demuxer and protocol alone something may be opened. */
export const openingWords = ({ name, isJoined, images }: Opened): string[] => {
  if (isJoined) return ["-protocol_whitelist", "concat,subfile,file", "-format_whitelist", joinedDemuxers.join(",")];
  if (images) return imagesWords(images);
  return safeInput(name);
};

const imagesWords = ({ first, rate }: ImageSequence): string[] => [
  ...["-protocol_whitelist", "file", "-format_whitelist", "image2", "-f", "image2", "-pattern_type", "sequence"],
  ...["-framerate", toFraction(rate), "-start_number", String(first)],
];

/** One argument has room for this much on every system that we know. */
const longest = 30_000;

type PiecePath = { readonly path: string; readonly from?: number; readonly length?: number };

/** What ffmpeg takes for the joined bytes of checked files. Throws TaskError `capability` for what it cannot take. */
export const joinedInput = (pieces: readonly PiecePath[], name: string): string => {
  const odd = pieces.find(({ path }) => path.includes("|"));
  if (odd) throw new TaskError("capability", `${odd.path} has a "|" in its path, and is to be joined with others`);
  const text = `concat:${pieces.map(pieceInput).join("|")}`;
  if (text.length <= longest) return text;
  throw new TaskError("capability", `${name} has too many segments (${pieces.length}) for one command`);
};

const pieceInput = ({ path, from = 0, length }: PiecePath): string =>
  from === 0 && length === undefined
    ? path
    : `subfile,,start,${from},end,${length === undefined ? 0 : from + length},,:${path}`;
