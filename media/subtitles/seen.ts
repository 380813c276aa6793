import { printClock } from "./clock.ts";
import { type Cue, type CueRange, cutCues } from "./cue.ts";
import { captionLinesOf, lagOf, notesOf, parseOnClock, parseSubtitles } from "./index.ts";
import { lostLetters } from "./lost-letters.ts";
import { lostLooks } from "./lost-looks.ts";
import { countedFrom, programmeStart, startWords } from "./programme-start.ts";
import type { CaptionLine } from "./scc.ts";

/** What is seen of a text in a part of the media, and what nobody would expect of it, as sentences for the result. */
export const seenSubtitles = (text: string, name: string, stretch: CueRange): { cues: Cue[]; told: string[] } => {
  const all = parseOnClock(text, stretch.clock ?? 0);
  const start = programmeStart(text, all, stretch);
  const cues = cutCues(countedFrom(all, start), stretch);
  const told = [
    ...(start && start.by !== "head" ? [startWords(name, start)] : []),
    ...notesOf(text).map((note) => `${name}: ${note}`),
    ...(cues.length === 0 ? [`${name}: ${noneWords(all)}`] : []),
  ];
  return { cues, told };
};

const noneWords = (all: readonly Cue[]): string => {
  const [first, last] = [all[0], all.at(-1)];
  if (!first || !last) return "no texts are in it, so the subtitles are empty";
  const times = `from ${printClock(first.from, ".")} to ${printClock(last.to, ".")}`;
  return `none of its ${all.length} texts, ${times}, is in the part that is converted, so the subtitles are empty`;
};

/** The captions of a text, from where pictures that begin at `range.from` take them, and what is to be told of it. */
export const sentCaptions = (
  text: string,
  name: string,
  range: CueRange,
): { from: number; lines: CaptionLine[]; told: string[] } => {
  const cues = parseSubtitles(text);
  const start = programmeStart(text, cues, range);
  const from = range.from + (start?.at ?? lagOf(text, range.clock ?? 0));
  const told = [
    ...(start && start.by !== "head" ? [startWords(name, start)] : []),
    ...lostLooks(cues, "scc", name),
    ...lostLetters(cues, "scc", name),
  ];
  return { from, lines: captionLinesOf(text), told };
};
