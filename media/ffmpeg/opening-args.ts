import { toFraction } from "../../shared/basics/rational.ts";
import type { ImageSequence } from "../../shared/model/asset.ts";
import { capabilityError } from "../../shared/model/failure.ts";
import { safeInput } from "./args.ts";
import { joinedDemuxers } from "./demuxers.ts";

/** What is opened: a plain file, joined bytes, or a sequence of pictures. */
type Opened = {
  readonly name: string;
  readonly isJoined?: boolean;
  readonly images?: ImageSequence;
};

/** Options before `-i` that limit the demuxer and protocol for opening a file. */
export const openingArgs = ({ name, isJoined, images }: Opened): string[] => {
  if (isJoined)
    return ["-protocol_whitelist", "concat,concatf,subfile,file", "-format_whitelist", joinedDemuxers.join(",")];
  if (images) return imageArgs(images);
  return safeInput(name);
};

/** ffprobe's command with these options for a checked local file, or for the joined bytes of some. */
export const ffprobeArgv = (path: string, isJoined: boolean, options: readonly string[]): string[] => [
  "-v",
  "error",
  ...openingArgs({ name: path, isJoined }),
  ...options,
  "-i",
  path,
];

const imageArgs = ({ first, rate }: ImageSequence): string[] => [
  ..."-protocol_whitelist file -format_whitelist image2 -f image2 -pattern_type sequence".split(" "),
  ...["-framerate", toFraction(rate), "-start_number", String(first)],
];

/** On every known system, one argument may be this long. */
const longest = 30_000;

type PiecePath = { readonly path: string; readonly from?: number; readonly length?: number };

/** How joined bytes appear in a command; if there are too many for one argument, the text of a list to write first. */
export type JoinedInput = { readonly path: string; readonly list?: { readonly path: string; readonly text: string } };

/** ffmpeg's input for the joined bytes of checked files; `listPath` is where a list of them may be. */
export const joinedInput = (pieces: readonly PiecePath[], listPath: string): JoinedInput => {
  const inputs = pieces.map(pieceInput);
  const path = `concat:${inputs.join("|")}`;
  const fits = path.length <= longest && !pieces.some((piece) => piece.path.includes("|"));
  if (fits) return { path };
  return { path: `concatf:${listPath}`, list: { path: listPath, text: inputs.map(listLine).join("") } };
};

const listLine = (input: string): string => `${quoted(input)}\n`;

/** A path in one of ffmpeg's lists. Throws TaskError `capability` for a name that no line can hold. */
const quoted = (input: string): string => {
  if (/[\r\n]/.test(input)) throw capabilityError(`${input} has a line break in its name`);
  return `'${input.replaceAll("'", String.raw`'\''`)}'`;
};

/** The list of files of one stream that play one after the other, each for so many seconds. */
export const playlistOf = (files: readonly { readonly path: string; readonly seconds: string }[]): string =>
  ["ffconcat version 1.0", ...files.map(({ path, seconds }) => `file ${quoted(path)}\nduration ${seconds}`), ""].join(
    "\n",
  );

const pieceInput = ({ path, from = 0, length }: PiecePath): string =>
  from === 0 && length === undefined
    ? path
    : `subfile,,start,${from},end,${length === undefined ? 0 : from + length},,:${path}`;
