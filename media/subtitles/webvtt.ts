import { printClock, readClock } from "./clock.ts";
import { type Cue, readableCues, SubtitleError } from "./cue.ts";
import { printVttMarkup, readMarkup } from "./markup.ts";

const timing = /^[^\S\n]*(\d[\d:.]{4,20})[ \t]+-->[ \t]+(\d[\d:.]{4,20})([^\n]*)$/m;

/** WebVTT. Notes, styles and regions are left out. Throws SubtitleError where its first line is missing. */
export const parseWebvtt = (text: string): Cue[] => {
  if (!/^\ufeff?WEBVTT(?=[ \t\r\n]|$)/.test(text)) throw new SubtitleError("the first line is not WEBVTT");
  const blocks = text
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .split(/\n[ \t]*\n/);
  return readableCues(blocks.flatMap((block) => cueOf(block) ?? []));
};

const cueOf = (block: string): Cue | undefined => {
  const [whole, from = "", to = "", settings = ""] = timing.exec(block) ?? [];
  const [begin, end] = [readClock(from), readClock(to)];
  if (whole === undefined || begin === undefined || end === undefined) return undefined;
  const text = block.slice(block.indexOf(whole) + whole.length).replace(/^\n/, "");
  const line = /(?:^|\s)line:(-?\d+(?:\.\d+)?)(%?)/.exec(settings);
  const isTop = line !== null && (line[2] === "%" ? Number(line[1]) < 50 : Number(line[1]) >= 0 && Number(line[1]) < 8);
  return { from: begin, to: end, ...readMarkup(text), ...(isTop && { isTop }) };
};

/** `streamClock` are the ticks of a transport stream's clock at which the cues have their zero (RFC 8216, 3.5). */
export const printWebvtt = (
  cues: readonly Cue[],
  { streamClock }: { readonly streamClock?: number | undefined } = {},
): string => {
  const map = streamClock === undefined ? "" : `X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:${streamClock}\n`;
  return `WEBVTT\n${map}${cues.map(block).join("")}`;
};

const block = ({ from, to, lines, isTop }: Cue): string => {
  const times = `${printClock(from, ".")} --> ${printClock(to, ".")}${isTop ? " line:0" : ""}`;
  return `\n${times}\n${printVttMarkup(lines)}\n`;
};
