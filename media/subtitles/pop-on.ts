import { type Code, codeOf, command, type Look, looksBetween, rowCommand, withParity } from "./cea608.ts";
import type { Cue, Line } from "./cue.ts";

const columns = 32;
const mostRows = 4;

/** Two bytes with their parity, as they are sent with one field. */
export type Pair = number;

/** The pairs that load a cue into the hidden memory of a decoder; commands are sent twice. */
export const loading = ({ lines, isTop }: Cue): Pair[] => {
  const rows = lines.flatMap(wrapped).slice(0, mostRows);
  const first = isTop ? 1 : 16 - rows.length;
  return [
    ...twice(command.eraseHidden),
    ...twice(command.resumeLoading),
    ...rows.flatMap((row, at) => rowPairs(row, first + at)),
  ];
};

/** Whether more is said than fits: rows beyond the fourth, and ends of long words, are not sent. */
export const isCut = ({ lines }: Cue): boolean =>
  lines.flatMap(wrapped).length > mostRows ||
  lines.some((line) => wordsOf(line).some(({ text, look }) => sizeOf(text) > columns - looksBetween({}, look).length));

/** Whether CEA-608 has neither a letter nor anything like it. */
export const isUnknown = (letter: string): boolean => known(letter) === "";

export const twice = (pair: number): Pair[] => [sent(pair), sent(pair)];

const sent = (pair: number): Pair => (withParity(pair >> 8) << 8) | withParity(pair & 0xff);

type Word = { readonly text: string; readonly look: Look };

/** A row's words, and how many of its cells they take with the codes of their looks. */
type Row = { readonly words: readonly Word[]; readonly length: number };

/** Words to rows of at most 32 characters that a decoder has. */
const wrapped = (line: Line): Row[] => {
  const rows: Row[] = [];
  for (const word of wordsOf(line)) {
    const last = rows.at(-1);
    const before = last?.words.at(-1)?.look ?? {};
    const length = last ? last.length + Math.max(1, looksBetween(before, word.look).length) + sizeOf(word.text) : 0;
    if (last && length <= columns) rows[rows.length - 1] = { words: [...last.words, word], length };
    else {
      const codes = looksBetween({}, word.look).length;
      const text = [...word.text].slice(0, columns - codes).join("");
      rows.push({ words: [{ ...word, text }], length: codes + sizeOf(text) });
    }
  }
  return rows;
};

const sizeOf = (text: string): number => [...text].length;

/** Each has the look of its first letter: codes between the letters of a word would part it. */
const wordsOf = (line: Line): Word[] => {
  const words: Word[] = [];
  let isOpen = false;
  for (const { text, italic, underline, color } of line) {
    const look = { ...(italic && { italic }), ...(underline && { underline }), ...(color && { color }) };
    for (const part of known(text).split(/(\s+)/)) {
      if (part === "") continue;
      const last = words.at(-1);
      const isSpace = part.trim() === "";
      if (!isSpace && isOpen && last) words[words.length - 1] = { ...last, text: last.text + part };
      else if (!isSpace) words.push({ text: part, look });
      isOpen = !isSpace;
    }
  }
  return words;
};

const plainer: Readonly<Record<string, string>> = {
  "…": "...",
  "–": "-",
  "\u2212": "-",
  œ: "oe",
  Œ: "OE",
  æ: "ae",
  Æ: "AE",
  ł: "l",
  Ł: "L",
};

/** The nearest text that CEA-608 has: without accents that it lacks, and without what has no likeness. */
const known = (text: string): string =>
  [...text]
    .map((character) => {
      if (codeOf(character) || /\s/.test(character)) return character;
      const plain = plainer[character] ?? character.normalize("NFKD").replaceAll(/\p{M}/gu, "");
      return [...plain].every((each) => codeOf(each)) ? plain : "";
    })
    .join("");

const rowPairs = ({ words, length }: Row, row: number): Pair[] => {
  const column = Math.floor((columns - length) / 2);
  const indent = column - (column % 4);
  const spaces = [..." ".repeat(column - indent)];
  let look: Look = {};
  const units = words.flatMap((word, at) => {
    const codes = looksBetween(look, word.look);
    look = word.look;
    return [...(codes.length > 0 ? codes : at > 0 ? [" "] : []), ...word.text];
  });
  return [...twice(rowCommand(row, indent)), ...packed([...spaces, ...units])];
};

const unitCode = (unit: string | number): Code | undefined =>
  typeof unit === "number" ? { pair: unit } : codeOf(unit);

/**
 * Plain characters two by two; a pair of its own stands alone, and what stands before it is filled up. Such pairs are sent
 * twice as commands are: a decoder takes two that are alike for one, and would show one note of two.
 */
const packed = (units: readonly (string | number)[]): Pair[] => {
  const pairs: Pair[] = [];
  let half: number | undefined;
  const add = (byte: number) => {
    if (half === undefined) half = byte;
    else {
      pairs.push(sent((half << 8) | byte));
      half = undefined;
    }
  };
  for (const unit of units) {
    const code = unitCode(unit);
    if (!code) continue;
    if ("basic" in code) add(code.basic);
    else {
      if (code.instead !== undefined) add(code.instead);
      if (half !== undefined) add(0);
      // Some decoders take any number of pairs that are alike for one: a space between them goes again.
      if (pairs.at(-1) === sent(code.pair)) pairs.push(sent(0x2000), ...twice(command.backspace));
      pairs.push(...twice(code.pair));
    }
  }
  if (half !== undefined) add(0);
  return pairs;
};
