import { type Rational, toNumber } from "../../shared/basics/rational.ts";
import { type Cue, type Line, type Look, type Span, textOf } from "../subtitles/cue.ts";
import { bytesOfText } from "./text-708.ts";

/** Services of CEA-708 (CTA-708-E): texts as windows that are filled out of sight, then shown, and taken away at their end. */

/** A whole command, or a few letters: what is not parted. */
type Unit = readonly number[];

/** A service, 1 to 6, and its texts, counted from the first picture. */
export type Service = { readonly number: number; readonly cues: readonly Cue[] };

/** The packet of the caption channel that goes with a picture, an even number of bytes; empty where none is sent. */
export const packetsOfPictures = (services: readonly Service[], rate: Rational): ((picture: number) => number[]) => {
  const room = roomOf(services.length, rate);
  const sent = services.map(({ number, cues }) => ({ number, blocks: scheduled(cues, rate, room) }));
  const pictures = [...new Set(sent.flatMap(({ blocks }) => [...blocks.keys()]))].sort((a, b) => a - b);
  // Receivers count packets to see whether one was lost.
  const counts = new Map(pictures.map((picture, at) => [picture, at % 4]));
  return (picture) => {
    const count = counts.get(picture);
    if (count === undefined) return [];
    const blocks = sent.flatMap(({ number, blocks: own }) => {
      const bytes = own.get(picture) ?? [];
      return bytes.length === 0 ? [] : [(number << 5) | bytes.length, ...bytes];
    });
    const even = blocks.length % 2 === 0 ? [...blocks, 0] : blocks;
    return [(count << 6) | ((even.length + 1) / 2), ...even];
  };
};

const longestBlock = 31;
/** A command that takes a window away may go with every block. */
const hideBytes = 2;
/** Triples that pictures of one second have room for, and those of a picture that CEA-608 takes. */
const [triplesASecond, fieldTriples, leastTriples, mostTriples] = [600, 4, 6, 20];

/** Bytes that a service may send with one picture. */
const roomOf = (services: number, rate: Rational): number => {
  const own = Math.floor(triplesASecond / toNumber(rate)) - fieldTriples;
  const bytes = 2 * Math.min(mostTriples, Math.max(leastTriples, own)) - 2;
  return Math.max(leastRoom, Math.min(longestBlock, Math.floor(bytes / services) - 1) - hideBytes);
};

/** The longest command, which defines a window. */
const leastRoom = 7;

const scheduled = (cues: readonly Cue[], rate: Rational, room: number): ReadonlyMap<number, number[]> => {
  const pictureAt = (milliseconds: number): number => Math.round((milliseconds * rate.num) / (rate.den * 1000));
  const sent = new Map<number, number[]>();
  const send = (picture: number, bytes: readonly number[]) =>
    void sent.set(picture, [...(sent.get(picture) ?? []), ...bytes]);
  let free = 0;
  for (const [index, cue] of cues.entries()) {
    const [own, other] = [index % 2, (index + 1) % 2];
    const [due, next] = [pictureAt(cue.from), cues[index + 1]];
    const before = cues[index - 1];
    const isReplacing = before !== undefined && pictureAt(before.to) >= due;
    const blocks = packed([...filling(cue, own), [...showing(own), ...(isReplacing ? deleting(other) : [])]], room);
    const begin = Math.max(free, due - blocks.length + 1);
    for (const [at, block] of blocks.entries()) send(begin + at, block);
    free = begin + blocks.length;
    const isReplaced = next !== undefined && pictureAt(cue.to) >= pictureAt(next.from);
    if (!isReplaced) send(Math.max(pictureAt(cue.to), free), deleting(own));
  }
  return sent;
};

/** Units in as few blocks as they fit in. */
const packed = (units: readonly Unit[], room: number): number[][] => {
  const blocks: number[][] = [[]];
  for (const unit of units) {
    const last = blocks.at(-1) ?? [];
    if (last.length + unit.length <= room) last.push(...unit);
    else blocks.push([...unit]);
  }
  return blocks;
};

const showing = (window: number): number[] => [0x89, 1 << window];
const deleting = (window: number): number[] => [0x8c, 1 << window];

const columns = 32;
const mostRows = 12;
const endOfText = [0x03];

/** A hidden window with the texts in it. */
const filling = ({ lines, isTop }: Cue, window: number): Unit[] => {
  const rows = lines.flatMap(wrapped).slice(0, mostRows);
  let look: Look | undefined;
  const texts = rows.flatMap((row, at): Unit[] => {
    const left = Math.max(0, Math.floor((columns - lengthOf(row)) / 2));
    const spans = row.flatMap((span): Unit[] => {
      const pen = isSame(look, span) ? [] : penOf(span);
      look = span;
      return [...pen, ...bytesOfText(span.text)];
    });
    return [[0x92, at, left], ...spans];
  });
  return [windowOf(window, Math.max(1, rows.length), isTop === true), ...texts, endOfText];
};

/** DefineWindow: hidden, locked, in the middle of the lowest or highest lines (in hundredths of the picture). */
const windowOf = (window: number, rows: number, isTop: boolean): Unit => {
  const [isLocked, isRelative] = [0x18, 0x80];
  const [anchor, down] = isTop ? [1, 10] : [7, 90];
  const [style, pen] = [1, 1];
  return [0x98 | window, isLocked, isRelative | down, 50, (anchor << 4) | (rows - 1), columns - 1, (style << 3) | pen];
};

const isSame = (a: Look | undefined, b: Look): boolean =>
  a !== undefined && a.italic === b.italic && a.underline === b.underline && a.color === b.color;

/** SetPenAttributes with letters of the usual size, and SetPenColor over black. */
const penOf = ({ italic, underline, color = "#ffffff" }: Look): Unit[] => {
  const [red = 3, green = 3, blue = 3] = [1, 3, 5].map((at) =>
    Math.round(Number.parseInt(color.slice(at, at + 2), 16) / 85),
  );
  return [
    [0x90, 0x05, (italic ? 0x80 : 0) | (underline ? 0x40 : 0)],
    [0x91, (red << 4) | (green << 2) | blue, 0x00, 0x00],
  ];
};

const lengthOf = (row: Line): number => [...textOf(row)].length;

/** Rows of whole words; a word that is longer than a row is parted. */
const wrapped = (line: Line): Span[][] => {
  const rows: Span[][] = [[]];
  let length = 0;
  const parts = line.flatMap(({ text, ...look }) =>
    (text.match(/\s+|\S{1,32}/gu) ?? []).map((part) => ({ ...look, text: part.trim() === "" ? " " : part })),
  );
  for (const part of parts) {
    const size = [...part.text].length;
    if (length + size > columns) {
      rows.push([]);
      length = 0;
    }
    if (length === 0 && part.text === " ") continue;
    rows.at(-1)?.push(part);
    length += size;
  }
  return rows.filter((row) => row.length > 0);
};
