import { printClock, readClock } from "./clock.ts";
import { type Cue, readableCues, SubtitleError } from "./cue.ts";
import { isSrtTag, printSrtMarkup, readMarkup } from "./markup.ts";

const timing = /^\s*(\d[\d:.,]{4,20})\s*-->\s*(\d[\d:.,]{4,20})/;

/**
 * SubRip. A text goes on to the next time, with the empty lines within it; numbers are not looked at. Throws SubtitleError
 * where there is no time.
 */
export const parseSrt = (text: string): Cue[] => {
  const lines = text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  const starts = lines.flatMap((line, at) => (timing.test(line) ? [at] : []));
  const cues = starts.flatMap((at, index) => {
    const next = starts[index + 1];
    const end = next === undefined ? lines.length : beforeNumber(lines, next);
    return cueOf(lines[at] ?? "", lines.slice(at + 1, end)) ?? [];
  });
  if (cues.length === 0 && text.trim() !== "")
    throw new SubtitleError('no line such as "00:00:01,000 --> 00:00:02,000"');
  return readableCues(cues);
};

/** Where the text before a time ends: its number stands between them, behind an empty line. */
const beforeNumber = (lines: readonly string[], time: number): number => {
  const isNumber = /^\s*\d{1,9}\s*$/.test(lines[time - 1] ?? "");
  return isNumber && (lines[time - 2] ?? "").trim() === "" ? time - 1 : time;
};

const cueOf = (line: string, text: readonly string[]): Cue | undefined => {
  const [, from = "", to = ""] = timing.exec(line) ?? [];
  const [begin, end] = [readClock(from), readClock(to)];
  if (begin === undefined || end === undefined) return undefined;
  return { from: begin, to: end, ...readMarkup(text.join("\n"), { isKnown: isSrtTag }) };
};

export const printSrt = (cues: readonly Cue[]): string =>
  cues
    .map(({ from, to, lines, isTop }, index) => {
      const times = `${printClock(from, ",")} --> ${printClock(to, ",")}`;
      return `${index + 1}\n${times}\n${isTop ? "{\\an8}" : ""}${printSrtMarkup(lines)}\n`;
    })
    .join("\n");
