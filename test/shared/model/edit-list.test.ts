import { expect, test } from "vitest";
import { ratio } from "../../../shared/basics/rational.ts";
import { parseEditList, parseTimescale, parseTrackId } from "../../../shared/model/edit-list.ts";

const bytes = (...numbers: readonly number[]) => {
  const view = new DataView(new ArrayBuffer(numbers.length * 4));
  for (const [index, number] of numbers.entries()) view.setUint32(index * 4, number);
  return view;
};
const once = 65_536;

test("an empty edit, a part and a picture that stands are told apart", () => {
  const list = bytes(0, 3, 500, 0xffffffff, once, 2000, 1024, once, 100, 4096, 0);
  expect(parseEditList(list, 1000, 48_000)).toEqual([
    { duration: ratio(1, 2) },
    { mediaTime: ratio(8, 375), duration: ratio(2) },
    { mediaTime: ratio(32, 375), duration: ratio(1, 10), rate: ratio(0) },
  ]);
});

test("entries of 64 bits are read too", () => {
  const list = bytes(0x01000000, 2, 0, 1000, 0xffffffff, 0xffffffff, once, 0, 3000, 1, 0, once * 2);
  expect(parseEditList(list, 1000, 1 << 30)).toEqual([
    { duration: ratio(1) },
    { mediaTime: ratio(4), duration: ratio(3), rate: ratio(2) },
  ]);
});

test("a list that breaks off or lies about its length ends where its bytes end", () => {
  expect(parseEditList(bytes(0, 4_000_000, 1000, 0, once), 1000, 1000)).toHaveLength(1);
  expect(parseEditList(bytes(0), 1000, 1000)).toEqual([]);
});

test("scales and numbers of tracks are where both versions of their boxes keep them", () => {
  expect([parseTimescale(bytes(0, 0, 0, 600)), parseTimescale(bytes(0x01000000, 0, 0, 0, 0, 600))]).toEqual([600, 600]);
  expect([parseTrackId(bytes(0, 0, 0, 7)), parseTrackId(undefined), parseTimescale(bytes(0, 0, 0, 0))]).toEqual([
    7,
    undefined,
    undefined,
  ]);
});
