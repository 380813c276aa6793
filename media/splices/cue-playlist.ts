import type { Cue } from "./cues.ts";

/** A file of a playlist after it was cut at splices; times in seconds from the first picture. */
export type Piece = { readonly name: string; readonly begin: number };

/** Players count dates of a film from here, as nobody says when it was filmed. */
const epoch = Date.UTC(1970, 0, 1);

/**
 * The playlist with each of its segments in the pieces into which it was cut, and with what SCTE 35 says: a date range
 * (RFC 8216) for each cue, and the tags of older players where a piece begins with a break or ends one.
 */
export const withCues = (
  playlist: string,
  cues: readonly Cue[],
  piecesOf: (segment: string) => readonly Piece[],
): string => {
  const made: string[] = [];
  let isDated = false;
  let length = 0;
  for (const line of playlist.split(/\r?\n/)) {
    if (line.startsWith("#EXTINF:")) {
      length = Number.parseFloat(line.slice("#EXTINF:".length));
      if (!isDated) made.push(`#EXT-X-PROGRAM-DATE-TIME:${dateOf(0)}`, ...cues.map(rangeOf));
      isDated = true;
    } else if (line !== "" && !line.startsWith("#")) made.push(...segmentLines(piecesOf(line), length, cues));
    else made.push(line);
  }
  return made.join("\n");
};

const segmentLines = (pieces: readonly Piece[], length: number, cues: readonly Cue[]): string[] => {
  const end = (pieces[0]?.begin ?? 0) + length;
  return pieces.flatMap(({ name, begin }, index) => {
    const next = pieces[index + 1]?.begin ?? end;
    return [...marksAt(begin, cues), `#EXTINF:${Math.max(0, next - begin).toFixed(6)},`, name];
  });
};

/** Half a picture of fast film: what is nearer begins with the segment. Seconds. */
const near = 0.008;

const marksAt = (begin: number, cues: readonly Cue[]): string[] =>
  cues.flatMap(({ at, out, back, seconds }) => {
    const isOut = out !== undefined && Math.abs(at - begin) < near;
    const ends = back === undefined ? undefined : out === undefined ? at : at + (seconds ?? 0);
    const isBack = ends !== undefined && Math.abs(ends - begin) < near;
    return [
      ...(isBack ? ["#EXT-X-CUE-IN"] : []),
      ...(isOut ? [`#EXT-X-CUE-OUT${seconds === undefined ? "" : `:${rounded(seconds)}`}`] : []),
    ];
  });

const rangeOf = ({ id, at, seconds, isPlanned, out, back, command }: Cue): string => {
  const length = seconds === undefined ? [] : [`${isPlanned ? "PLANNED-DURATION" : "DURATION"}=${rounded(seconds)}`];
  const sections = [
    ...(out === undefined ? [] : [`SCTE35-OUT=0x${out.toUpperCase()}`]),
    ...(back === undefined ? [] : [`SCTE35-IN=0x${back.toUpperCase()}`]),
    ...(command === undefined ? [] : [`SCTE35-CMD=0x${command.toUpperCase()}`]),
  ];
  return `#EXT-X-DATERANGE:${[`ID="${id}"`, `START-DATE="${dateOf(at)}"`, ...length, ...sections].join(",")}`;
};

const rounded = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

const dateOf = (seconds: number): string => new Date(epoch + Math.round(seconds * 1000)).toISOString();
