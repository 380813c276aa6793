import { readClock } from "../clock.ts";
import { type Cue, readableCues, SubtitleError } from "../cue.ts";
import { readMarkup } from "../markup.ts";
import { readStyles, type Styles } from "./styles.ts";

const timing = /^[^\S\n]*(\d[\d:.]{4,20})[ \t]+-->[ \t]+(\d[\d:.]{4,20})([^\n]*)$/m;

/** WebVTT with what its styles say of looks. Notes and regions are left out. Throws SubtitleError where its first line is missing. */
export const parseWebvtt = (text: string): Cue[] => {
  if (!/^\ufeff?WEBVTT(?=[ \t\r\n]|$)/.test(text)) throw new SubtitleError("the first line is not WEBVTT");
  const blocks = blocksOf(text);
  const styles = readStyles(blocks);
  return readableCues(blocks.flatMap((block) => cueOf(block, styles) ?? []));
};

/** What the styles of a text say that no cue keeps, as a sentence. */
export const webvttNotes = (text: string): string[] => {
  const { unkept } = readStyles(blocksOf(text));
  return unkept.length === 0 ? [] : [`its styles also say ${unkept.join(", ")}, which is not kept`];
};

const blocksOf = (text: string): string[] =>
  text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .split(/\n[ \t]*\n/);

const cueOf = (block: string, styles: Styles): Cue | undefined => {
  const [whole, from = "", to = "", settings = ""] = timing.exec(block) ?? [];
  const [begin, end] = [readClock(from), readClock(to)];
  if (whole === undefined || begin === undefined || end === undefined) return undefined;
  const at = block.indexOf(whole);
  const id = block.slice(0, at).trim().split("\n").at(-1) ?? "";
  const text = block.slice(at + whole.length).replace(/^\n/, "");
  const line = /(?:^|\s)line:(-?\d+(?:\.\d+)?)(%?)/.exec(settings);
  const isTop = line !== null && (line[2] === "%" ? Number(line[1]) < 50 : Number(line[1]) >= 0 && Number(line[1]) < 8);
  const looks = { styleOf: styles.ofTag, look: styles.ofCue(id) };
  return { from: begin, to: end, ...readMarkup(text, looks), ...(isTop && { isTop }) };
};
