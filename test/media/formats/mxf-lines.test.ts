import { expect, test } from "vitest";
import { lineMapsIn } from "../../../media/formats/mxf-lines.ts";

const klv = (key: string, value: readonly number[], isLong = false): number[] => {
  const head = [...Buffer.from(key.padEnd(32, "0"), "hex")];
  return [...head, ...(isLong ? [0x83, 0, value.length >> 8, value.length & 255] : [value.length]), ...value];
};
const item = (tag: number, value: readonly number[]): number[] => [tag >> 8, tag & 255, 0, value.length, ...value];
const lines = (first: number, second: number) => [
  0,
  0,
  0,
  2,
  0,
  0,
  0,
  4,
  0,
  0,
  0,
  first,
  0,
  0,
  second >> 8,
  second & 255,
];

const partition = klv("060e2b34020501010d01020101020400", [1, 2, 3]);
const descriptor = (...items: number[][]) => klv("060e2b34025301010d01010101012800", items.flat(), true);

test("the lines of a descriptor are found by the keys, tags and lengths around them", () => {
  const before = [...partition, ...descriptor(item(0x3203, [0, 0, 2, 0xd0]), item(0x320d, lines(20, 285)))];
  const header = Uint8Array.from([...before, ...descriptor(item(0x320d, lines(23, 285)))]);
  const maps = lineMapsIn(header);
  expect(maps.map(({ lines }) => lines)).toEqual([
    [20, 285],
    [23, 285],
  ]);
  for (const { at, lines: found } of maps) expect(new DataView(header.buffer).getUint32(at)).toBe(found[0]);
});

test("bytes that only look like lines are none, and what is cut short is read to its end", () => {
  const fake = klv("060e2b34010201010d010301", item(0x320d, lines(20, 285)));
  expect(lineMapsIn(Uint8Array.from([...partition, ...fake]))).toEqual([]);
  expect(lineMapsIn(Uint8Array.from([...partition, ...descriptor(item(0x320d, lines(20, 285))).slice(0, 30)]))).toEqual(
    [],
  );
  expect(lineMapsIn(Uint8Array.from([1, 2, 3]))).toEqual([]);
});
