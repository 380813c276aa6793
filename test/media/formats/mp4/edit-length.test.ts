import { expect, test } from "vitest";
import { withPictureLength } from "../../../../media/formats/mp4/edit-length.ts";
import { boxed } from "../../../../media/formats/mp4/parts.ts";
import { ratio } from "../../../../shared/basics/rational.ts";

const numbers = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
};
const text = (letters: string): Uint8Array => Buffer.from(letters, "latin1");

/** A film of one picture track whose edit list says that it has so many entries, and has these. */
const movie = (count: number, ...entries: readonly number[]): Uint8Array =>
  boxed("moov", [
    boxed("mvhd", [numbers(0, 0, 0, 1000, 9000, ...Array<number>(20).fill(0))]),
    boxed("trak", [
      boxed("tkhd", [numbers(0, 0, 0, 1, 0, 9000, ...Array<number>(16).fill(0))]),
      boxed("edts", [boxed("elst", [numbers(0, count, ...entries)])]),
      boxed("mdia", [boxed("hdlr", [numbers(0, 0), text("vide"), numbers(0, 0, 0)])]),
    ]),
  ]);

test("the last edit that shows something is shortened, and with it the track and the film", () => {
  const made = withPictureLength(movie(2, 500, -1, 65_536, 8500, 0, 65_536), ratio(4));
  expect(made).toEqual(
    boxed("moov", [
      boxed("mvhd", [numbers(0, 0, 0, 1000, 4500, ...Array<number>(20).fill(0))]),
      boxed("trak", [
        boxed("tkhd", [numbers(0, 0, 0, 1, 0, 4500, ...Array<number>(16).fill(0))]),
        boxed("edts", [boxed("elst", [numbers(0, 2, 500, -1, 65_536, 4000, 0, 65_536)])]),
        boxed("mdia", [boxed("hdlr", [numbers(0, 0), text("vide"), numbers(0, 0, 0)])]),
      ]),
    ]),
  );
});

test("a list that says more entries than it has ends with those that it has", () => {
  const [lying, honest] = [2 ** 32 - 1, 1].map((count) =>
    Buffer.from(withPictureLength(movie(count, 9000, 0, 65_536), ratio(4))).toString("latin1"),
  );
  const counted = (text = "") => text.replace(/elst(.{4}).{4}/s, "elst$1");
  expect(counted(lying)).toBe(counted(honest));
});

test("a list without entries, or cut off within its head, is left as it is", () => {
  for (const broken of [movie(0), movie(7)]) expect(withPictureLength(broken, ratio(4))).toEqual(broken);
});
