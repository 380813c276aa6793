import { codeOf, command, rowCommand, withParity } from "./cea608.ts";
import { type Cue, type Line, textOf } from "./cue.ts";

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

export const twice = (pair: number): Pair[] => [sent(pair), sent(pair)];

const sent = (pair: number): Pair => (withParity(pair >> 8) << 8) | withParity(pair & 0xff);

/** Words to rows of at most 32 characters that a decoder has. */
const wrapped = (line: Line): string[] => {
  const rows: string[] = [];
  for (const word of known(textOf(line)).split(/\s+/).filter(Boolean)) {
    const last = rows.at(-1);
    if (last !== undefined && [...last].length + 1 + [...word].length <= columns)
      rows[rows.length - 1] = `${last} ${word}`;
    else rows.push([...word].slice(0, columns).join(""));
  }
  return rows;
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

const rowPairs = (text: string, row: number): Pair[] => {
  const column = Math.floor((columns - [...text].length) / 2);
  const indent = column - (column % 4);
  return [...twice(rowCommand(row, indent)), ...packed(`${" ".repeat(column - indent)}${text}`)];
};

/** Plain characters two by two; one of a pair of its own stands alone, and what stands before it is filled up. */
const packed = (text: string): Pair[] => {
  const pairs: Pair[] = [];
  let half: number | undefined;
  const add = (byte: number) => {
    if (half === undefined) half = byte;
    else {
      pairs.push(sent((half << 8) | byte));
      half = undefined;
    }
  };
  for (const code of [...text].flatMap((character) => codeOf(character) ?? [])) {
    if ("basic" in code) add(code.basic);
    else {
      if (code.instead !== undefined) add(code.instead);
      if (half !== undefined) add(0);
      pairs.push(sent(code.pair));
    }
  }
  if (half !== undefined) add(0);
  return pairs;
};
