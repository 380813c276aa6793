import type { Cue } from "./cue.ts";
import { decodeLatin, encodeLatin } from "./iso-6937.ts";

/** One of the tables that the letters of an EBU STL are taken from (Tech 3264, CCT). */
export type LetterTable = {
  /** As its head names it. */
  readonly code: string;
  /** What the table lacks becomes a question mark. */
  readonly encode: (text: string) => string;
  readonly decode: (codes: string) => string;
};

const latin: LetterTable = { code: "00", encode: encodeLatin, decode: decodeLatin };

/** A part of ISO 8859. Its letters are where ISO 6937 has others, and ASCII is in both. */
const partOf = (code: string, part: number): LetterTable => {
  const decoder = new TextDecoder(`iso-8859-${part}`);
  const decode = (codes: string) => decoder.decode(Uint8Array.from(codes, (each) => each.charCodeAt(0)));
  const upper = Array.from({ length: 96 }, (_, at) => String.fromCharCode(0xa0 + at));
  const known = new Map(upper.map((each) => [decode(each), each]));
  known.delete("\ufffd");
  return {
    ...{ code, decode },
    encode: (text) =>
      [...text.normalize("NFC")]
        .map((each) => known.get(each) ?? (/[ -~]/.test(each) ? each : encodePlain(each)))
        .join(""),
  };
};

/** Punctuation and letters without the accents that such a table lacks. */
const encodePlain = (character: string): string => {
  const plain = encodeLatin(character);
  return /^[ -~]+$/.test(plain) ? plain : character.normalize("NFD").replaceAll(/[^ -~]/gu, "") || "?";
};

const tables: readonly LetterTable[] = [latin, partOf("01", 5), partOf("02", 6), partOf("03", 7), partOf("04", 8)];

/** The table that a head names; Latin where it names none. */
export const tableNamed = (code: string): LetterTable => tables.find((each) => each.code === code) ?? latin;

/** The table that has most letters of all texts; Latin where several have. */
export const tableFor = (cues: readonly Cue[]): LetterTable => {
  const letters = [
    ...new Set(cues.flatMap(({ lines }) => lines.flat().flatMap(({ text }) => [...text.normalize("NFC")]))),
  ];
  const countOf = (table: LetterTable) => letters.filter((each) => isLackedBy(table, each)).length;
  return tables.reduce((best, each) => (countOf(each) < countOf(best) ? each : best));
};

/** Whether a letter becomes a question mark. */
export const isLackedBy = (table: LetterTable, letter: string): boolean =>
  letter !== "?" && !isUnseen(letter) && table.encode(letter) === "?";

/** Marks of direction, joiners and the like, which nobody misses. */
export const isUnseen = (letter: string): boolean => /^[\p{Cf}\p{M}\p{Cc}]$/u.test(letter);
