/** A piece of a line that looks the same throughout. Colours are `#rrggbb`. */
export type Span = {
  readonly text: string;
  readonly italic?: true;
  readonly bold?: true;
  readonly underline?: true;
  readonly color?: string;
  /** Who says it. */
  readonly voice?: string;
  /** In another language than the rest: BCP 47. */
  readonly language?: string;
};

/** How a text looks, and who says it in which language. */
export type Look = Omit<Span, "text">;

export type Line = readonly Span[];

/** A text that is shown for a while: milliseconds, the end not included. */
export type Cue = {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
  readonly isTop?: true;
};

/** What a damaged or hostile file may cost at most. */
export const maxCues = 100_000;
export const maxLines = 20;
export const mostLineCharacters = 2000;
const longest = 1000 * 3600 * 1000;

/** Thrown for a text that cannot be read as subtitles. */
export class SubtitleError extends Error {}

/** Thrown for subtitles that would cost too much: neither waiting nor another node helps. */
export class TooMuchText extends SubtitleError {}

/** Cues in order, without those that show nothing. Throws TooMuchText where there are too many. */
export const readableCues = (cues: readonly Cue[]): Cue[] => {
  if (cues.length > maxCues) throw new TooMuchText(`there are more than ${maxCues} texts`);
  return cues
    .filter(({ from, to, lines }) => from >= 0 && to > from && to <= longest && lines.some(isVisible))
    .map((cue) => ({ ...cue, lines: cue.lines.filter(isVisible).slice(0, maxLines).map(short).map(joined) }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
};

export const textOf = (line: Line): string => line.map(({ text }) => text).join("");

const isVisible = (line: Line): boolean => textOf(line).trim() !== "";

const short = (line: Line): Line => {
  let room = mostLineCharacters;
  return line.flatMap((span) => {
    const text = span.text
      .slice(0, room)
      .replaceAll(/\p{Cc}/gu, " ")
      .toWellFormed();
    room -= text.length;
    return text === "" ? [] : [{ ...span, text }];
  });
};

/** Neighbours that look alike are one span. */
const joined = (line: Line): Line => {
  const spans: Span[] = [];
  for (const { text, ...look } of line) {
    const { text: before, ...last } = spans.at(-1) ?? { text: undefined };
    const isAlike = before !== undefined && lookKey(last) === lookKey(look);
    if (isAlike) spans.pop();
    spans.push({ text: isAlike ? before + text : text, ...look });
  }
  return spans;
};

const lookKey = ({ italic, bold, underline, color, voice, language }: Look): string =>
  JSON.stringify([italic, bold, underline, color, voice, language]);

/** A part of a timeline in milliseconds, and how many times faster it plays. */
export type CueRange = {
  readonly from: number;
  readonly to?: number | undefined;
  readonly speed?: number | undefined;
  /** The text counts in timecode, and that of the media's first frame shows this clock. */
  readonly clock?: number | undefined;
  /** What the timecode of the media's first frame shows, for a text that says nothing of timecode. Milliseconds. */
  readonly shown?: number | undefined;
};

/** What a cut leaves of a text for less than this is seen by nobody. */
const leastMs = 40;

/** What is seen of the cues in that part, counted from its beginning. */
export const cutCues = (cues: readonly Cue[], { from, to = Number.POSITIVE_INFINITY, speed = 1 }: CueRange): Cue[] =>
  cues
    .filter((cue) => Math.min(cue.to, to) - Math.max(cue.from, from) >= Math.min(leastMs, cue.to - cue.from))
    .map((cue) => ({
      ...cue,
      from: Math.round((Math.max(cue.from, from) - from) / speed),
      to: Math.round((Math.min(cue.to, to) - from) / speed),
    }))
    .filter((cue) => cue.to > cue.from);
