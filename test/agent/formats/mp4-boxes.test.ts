import { expect, test } from "vitest";
import { boxesWithin, createBoxReader } from "../../../agent/formats/mp4-boxes.ts";

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(8, type.padStart(8, "\0"), "latin1");
  const whole = Buffer.concat([head, ...parts]);
  whole.writeUInt32BE(whole.length);
  return whole;
};

/** A box that claims more bytes than it has. */
const claiming = (type: string, size: number): Buffer => {
  const made = box(type);
  made.writeUInt32BE(size);
  return made;
};

const readerOf = (bytes: Buffer) => {
  let taken = 0;
  const readAt = async (from: number, length: number): Promise<Buffer> => {
    const part = bytes.subarray(from, from + length);
    taken += part.length;
    return part;
  };
  return { readAt, taken: () => taken };
};

test("boxes that claim each other's bytes are not read again and again", async () => {
  const parts = 2000;
  const bytes = Buffer.concat(Array.from({ length: parts }, () => box("moof", claiming("trun", 1_000_000))));
  const { readAt, taken } = readerOf(bytes);
  const { within, payload } = createBoxReader(readAt, 4_000_000);
  const outer = await boxesWithin(readAt, 0, bytes.length);
  expect(outer).toHaveLength(parts);
  for (const each of outer) for (const inner of await within(each)) await payload(inner);
  expect(taken()).toBeLessThan(10 * bytes.length);
});

test("boxes that lie within their box are read", async () => {
  const { readAt } = readerOf(box("moof", box("mfhd", Buffer.alloc(4)), box("traf")));
  const { within, payload } = createBoxReader(readAt, 4_000_000);
  const [outer] = await boxesWithin(readAt, 0, 100);
  const inner = await within(outer);
  expect(inner.map(({ type }) => type)).toEqual(["mfhd", "traf"]);
  expect((await payload(inner[0]))?.byteLength).toBe(4);
});
