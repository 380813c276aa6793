import type { Rational } from "../../shared/basics/rational.ts";
import type { CaptionLine } from "../subtitles/scc.ts";
import type { FieldPair } from "./sei.ts";

type Track = {
  readonly field: 1 | 2;
  readonly lines: readonly CaptionLine[];
  /** Milliseconds of the captions at which the pictures begin. */
  readonly from: number;
};

/** Each field has 30000/1001 pairs a second, whatever the pictures' rate is. */
const frameMs = 1001 / 30;
const filler = 0x8080;

/** The pairs that go with each picture of this rate. */
export const pairsOfPictures = (tracks: readonly Track[], rate: Rational): ((picture: number) => FieldPair[]) => {
  const tables = tracks.map(({ field, lines, from }) => ({ field, pairs: tableOf(lines, field, from) }));
  // The first picture has pairs at every rate: readers look there for captions.
  const slotOf = (picture: number): number => Math.ceil((picture * rate.den * 30_000) / (rate.num * 1001) - 1e-9);
  return (picture) => {
    const slots = Array.from({ length: slotOf(picture + 1) - slotOf(picture) }, (_, at) => slotOf(picture) + at);
    // A picture has room for 31; rates below one a second are none of television.
    return slots
      .slice(0, 15)
      .flatMap((slot) => tables.map(({ field, pairs }) => ({ field, pair: pairs.get(slot) ?? filler })));
  };
};

const tableOf = (lines: readonly CaptionLine[], field: 1 | 2, from: number): Map<number, number> => {
  const skipped = Math.round(from / frameMs);
  const placed = lines.flatMap(({ frame, pairs }) =>
    pairs.map((pair, at): [number, number] => [frame - skipped + at, field === 1 ? pair : ofSecondField(pair)]),
  );
  return new Map(placed.filter(([slot]) => slot >= 0));
};

/** Commands of the first field have another first byte in the second; both with odd parity. */
const ofSecondField = (pair: number): number => {
  const [first, second] = [(pair >> 8) & 0x7f, pair & 0x7f];
  const isCommand = (first === 0x14 || first === 0x1c) && second >= 0x20 && second <= 0x2f;
  if (!isCommand) return pair;
  return ((first === 0x14 ? 0x15 : 0x9d) << 8) | (pair & 0xff);
};
