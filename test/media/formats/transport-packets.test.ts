import { expect, test } from "vitest";
import { packetBytes, withNullPackets } from "../../../media/formats/transport-packets.ts";

const packet = (pid: number): number[] => [
  0x47,
  0x40 | (pid >> 8),
  pid & 0xff,
  0x15,
  ...Array(packetBytes - 4).fill(1),
];

test("packets of one number become null packets, the others stay", () => {
  const bytes = new Uint8Array([...packet(17), ...packet(256), ...packet(17)]);
  expect(withNullPackets(bytes, 17)).toBe(2);
  const nothing = [0x47, 0x1f, 0xff, 0x10, ...Array(packetBytes - 4).fill(0xff)];
  expect([...bytes]).toEqual([...nothing, ...packet(256), ...nothing]);
});

test("what is no transport stream is refused", () => {
  expect(() => withNullPackets(new Uint8Array(packetBytes), 17)).toThrow("no packet begins at byte 0");
});
