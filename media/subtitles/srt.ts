import { printClock, readClock } from "./clock.ts";
import { type Cue, readableCues, SubtitleError } from "./cue.ts";
import { isSrtTag, printSrtMarkup, readMarkup } from "./markup.ts";

const timing = /^\s*(\d[\d:.,]{4,20})\s*-->\s*(\d[\d:.,]{4,20})/;

/** SubRip. Blocks without a time are left out; numbers are not looked at. Throws SubtitleError where no block has one. */
export const parseSrt = (text: string): Cue[] => {
  const blocks = text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .split(/\n[ \t]*\n/);
  const cues = blocks.flatMap((block) => cueOf(block) ?? []);
  if (cues.length === 0 && text.trim() !== "")
    throw new SubtitleError('no line such as "00:00:01,000 --> 00:00:02,000"');
  return readableCues(cues);
};

const cueOf = (block: string): Cue | undefined => {
  const lines = block.split("\n");
  const at = lines.findIndex((line) => timing.test(line));
  const [, from = "", to = ""] = timing.exec(lines[at] ?? "") ?? [];
  const [begin, end] = [readClock(from), readClock(to)];
  if (begin === undefined || end === undefined) return undefined;
  return { from: begin, to: end, ...readMarkup(lines.slice(at + 1).join("\n"), isSrtTag) };
};

export const printSrt = (cues: readonly Cue[]): string =>
  cues
    .map(({ from, to, lines, isTop }, index) => {
      const times = `${printClock(from, ",")} --> ${printClock(to, ",")}`;
      return `${index + 1}\n${times}\n${isTop ? "{\\an8}" : ""}${printSrtMarkup(lines)}\n`;
    })
    .join("\n");
