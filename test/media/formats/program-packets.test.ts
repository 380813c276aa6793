import { expect, test } from "vitest";
import { wrongPointersIn } from "../../../media/formats/program-packets.ts";

const pack = [0, 0, 1, 0xba, 0x44, ...new Array<number>(8).fill(4), 0xf8];
const oldPack = [0, 0, 1, 0xba, 0x21, ...new Array<number>(7).fill(1)];
const packet = (stream: number, pointer: number, size: number) => {
  const length = 3 + 4 + size;
  return [
    0,
    0,
    1,
    0xbd,
    length >> 8,
    length & 255,
    0x80,
    0,
    0,
    stream,
    0,
    pointer >> 8,
    pointer & 255,
    ...new Array<number>(size).fill(0xbd),
  ];
};

test("pointers of AC-3 and DTS behind their packet are found, others are let be", () => {
  const parts = [
    pack,
    packet(0x80, 21, 20),
    packet(0x80, 20, 20),
    oldPack,
    packet(0x88, 500, 20),
    packet(0xa0, 500, 20),
  ];
  const bytes = new Uint8Array(parts.flat());
  const starts = parts.map((_, index) => parts.slice(0, index).flat().length);
  expect(wrongPointersIn(bytes)).toEqual({ at: [(starts[1] ?? 0) + 11, (starts[4] ?? 0) + 11], read: bytes.length });
});

test("a packet that goes on in the next block is read there", () => {
  const whole = new Uint8Array([...pack, ...packet(0x80, 21, 20)]);
  expect(wrongPointersIn(whole.subarray(0, 30))).toEqual({ at: [], read: pack.length });
  expect(wrongPointersIn(whole.subarray(pack.length)).at).toEqual([11]);
});
