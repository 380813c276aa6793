import { languageOf } from "../formats/language.ts";
import { type Cue, type Line, readableCues, type Span, SubtitleError } from "./cue.ts";
import { type LetterTable, tableFor, tableNamed } from "./stl-letters.ts";

/** EBU STL (Tech 3264), its bytes as characters: a head of 1024, then blocks of 128, each with a text or a part of one. */
export const parseStl = (bytes: string): Cue[] => {
  const rate = Number(/^\d{3}STL(\d\d)\.01/.exec(bytes)?.[1] ?? 0);
  if (rate === 0) throw new SubtitleError("its head names no rate such as STL25.01");
  const rows = Number(bytes.slice(253, 255)) || mostRows;
  const letters = tableNamed(bytes.slice(12, 14));
  const cues: Cue[] = [];
  let before = "";
  for (let at = headBytes; at + blockBytes <= bytes.length; at += blockBytes) {
    const block = bytes.slice(at, at + blockBytes);
    const [number = 0, isComment] = [block.charCodeAt(3), block.charCodeAt(15) === 1];
    if (number === 0xfe || isComment) continue; // data of users, and notes
    before += block.slice(16).replace(/\x8f+$/, "");
    if (number !== 0xff) continue;
    const [from, to] = [readTime(block.slice(5, 9), rate), readTime(block.slice(9, 13), rate)];
    const isTop = block.charCodeAt(13) < rows / 2;
    cues.push({ from, to, lines: readLines(before, letters), ...(isTop && { isTop }) });
    before = "";
  }
  return readableCues(cues);
};

/** The time code at which the programme begins (TCP), in milliseconds; 0 where it is not in use (TCS). */
export const stlStart = (bytes: string): number => {
  const rate = Number(/^\d{3}STL(\d\d)\.01/.exec(bytes)?.[1] ?? 0);
  const fields = bytes.slice(256, 264).match(/\d\d/g)?.map(Number) ?? [];
  if (bytes[255] === "0" || rate === 0 || fields.length !== 4) return 0;
  return readTime(String.fromCharCode(...fields), rate);
};

/** Open subtitles at 25 frames a second, in the middle, with italics and underlines. */
export const printStl = (cues: readonly Cue[], { language, date = 0 }: StlOptions = {}): string => {
  const letters = tableFor(cues);
  const blocks = cues.flatMap((cue, index) => blocksOf(cue, index + 1, letters));
  const day = new Date(date).toISOString().slice(2, 10).replaceAll("-", "");
  return headOf(cues, blocks.length, { day, letters, language: languageCode(language) }) + blocks.join("");
};

type StlOptions = { readonly language?: string | undefined; readonly date?: number | undefined };

/** Languages in the order of their codes (Tech 3264, appendix 3), from 01 on. */
const languages =
  "sqi bre cat hrv cym ces dan deu eng spa epo est eus fao fra fry gle gla glg isl ita sme lat lav ltz lit hun mlt nld nor oci pol por ron roh srp slk slv fin swe tur".split(
    " ",
  );

const languageCode = (language: string | undefined): string => {
  const known = languageOf(language);
  const at = languages.indexOf(known === "nob" || known === "nno" ? "nor" : (known ?? ""));
  return (at + 1).toString(16).toUpperCase().padStart(2, "0");
};

const headBytes = 1024;
const blockBytes = 128;
const textBytes = 112;
const mostRows = 23;
const frameMs = 40;

const [lineBreak, filler] = ["\x8a", "\x8f"];
const italic = { on: "\x80", off: "\x81" };
const underline = { on: "\x82", off: "\x83" };

type Head = { readonly day: string; readonly letters: LetterTable; readonly language: string };

const headOf = (cues: readonly Cue[], blocks: number, { day, letters, language }: Head): string => {
  const first = [...printTime(cues[0]?.from ?? 0)].map((each) => two(each.charCodeAt(0))).join("");
  const fields: readonly (readonly [at: number, text: string])[] = [
    ...([
      [0, "850STL25.01"],
      [11, "0"],
      [12, letters.code],
      [14, language],
      [224, day],
      [230, day],
    ] as const),
    [236, `00${five(blocks)}${five(cues.length)}001`],
    [251, `40${mostRows}1`],
    [256, `00000000${first}11`],
  ];
  return fields.reduce((head, [at, text]) => head.slice(0, at) + text + head.slice(at + text.length), " ".repeat(1024));
};

const blocksOf = ({ from, to, lines, isTop }: Cue, number: number, letters: LetterTable): string[] => {
  const text = lines.map((line) => printLine(line, letters)).join(lineBreak);
  const parts = text.match(new RegExp(`[\\s\\S]{1,${textBytes - 1}}`, "g")) ?? [""];
  const row = isTop ? 2 : Math.max(2, mostRows + 1 - 2 * lines.length);
  return parts.map((part, at) => {
    const [low, high] = [number & 0xff, (number >> 8) & 0xff];
    const order = at === parts.length - 1 ? 0xff : at;
    const head = String.fromCharCode(0, low, high, order, 0);
    const place = String.fromCharCode(row, 2, 0);
    return head + printTime(from) + printTime(to) + place + part.padEnd(textBytes, filler);
  });
};

const printTime = (milliseconds: number): string => {
  const frames = Math.round(milliseconds / frameMs);
  const seconds = Math.floor(frames / 25);
  return String.fromCharCode(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, frames % 25);
};

const readTime = (bytes: string, rate: number): number => {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = [...bytes].map((each) => each.charCodeAt(0));
  return Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000 + (frames * 1000) / rate);
};

const printLine = (line: Line, { encode }: LetterTable): string =>
  line
    .map((span) => {
      const text = encode(span.text);
      const slanted = span.italic ? italic.on + text + italic.off : text;
      return span.underline ? underline.on + slanted + underline.off : slanted;
    })
    .join("");

/** Commands of teletext in front of a text are no part of it. */
const readLines = (text: string, { decode }: LetterTable): Line[] => {
  let look: Omit<Span, "text"> = {};
  return text.split(/\x8a+/).map((line) =>
    [...line.matchAll(/[\x80-\x83]|[^\x80-\x8f]+/g)].flatMap(([token]): Span[] => {
      if (token > "\x83" || token < "\x80") return [{ text: decode(token.replaceAll(/\p{Cc}/gu, "")), ...look }];
      look = switched(look, token);
      return [];
    }),
  );
};

const switched = ({ italic: isSlanted, underline: isUnderlined }: Omit<Span, "text">, token: string) => ({
  ...((token === italic.on || (isSlanted && token !== italic.off)) && { italic: true as const }),
  ...((token === underline.on || (isUnderlined && token !== underline.off)) && { underline: true as const }),
});

const two = (value: number): string => String(value).padStart(2, "0");
const five = (value: number): string => String(value).padStart(5, "0");
