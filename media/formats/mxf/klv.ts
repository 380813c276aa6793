import { joined } from "../joined-bytes.ts";

/** A key, a length and a value (SMPTE ST 336), as they lie in a file. */
export type Klv = { readonly key: Uint8Array; readonly value: Uint8Array };

const keyBytes = 16;

/** All that lie in these bytes; what is damaged ends the list. */
export const klvsIn = (bytes: Uint8Array): Klv[] => {
  const found: Klv[] = [];
  for (let at = 0; at + keyBytes < bytes.length; ) {
    const { from, length } = lengthAt(bytes, at + keyBytes);
    if (from + length > bytes.length) break;
    found.push({ key: bytes.subarray(at, at + keyBytes), value: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return found;
};

/** The length of a value, short or of as many bytes as its first one says (BER), and where the value begins. */
export const lengthAt = (bytes: Uint8Array, at: number): { readonly from: number; readonly length: number } => {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { from: at + 1, length: first };
  const from = at + 1 + (first & 0x7f);
  return { from, length: bytes.subarray(at + 1, from).reduce((sum, byte) => sum * 256 + byte, 0) };
};

/** Its length has four bytes, as muxers write it. */
export const printKlv = ({ key, value }: Klv): Uint8Array =>
  joined([key, new Uint8Array([0x83, value.length >> 16, (value.length >> 8) & 0xff, value.length & 0xff]), value]);

/** An item of a local set (ST 377-1, 9.3): a tag that the primer pack explains, and a value. */
export type Item = { readonly tag: number; readonly value: Uint8Array };

export const itemsIn = (set: Uint8Array): Item[] => {
  const view = new DataView(set.buffer, set.byteOffset, set.byteLength);
  const found: Item[] = [];
  for (let at = 0; at + 4 <= set.length; ) {
    const end = at + 4 + view.getUint16(at + 2);
    if (end > set.length) break;
    found.push({ tag: view.getUint16(at), value: set.subarray(at + 4, end) });
    at = end;
  }
  return found;
};

export const printItems = (items: readonly Item[]): Uint8Array =>
  joined(items.flatMap(({ tag, value }) => [number16(tag), number16(value.length), value]));

/** Numbers of these many bytes, the highest first. */
export const number16 = (value: number): Uint8Array => new Uint8Array([(value >> 8) & 0xff, value & 0xff]);
export const number32 = (value: number): Uint8Array => joined([number16(Math.floor(value / 65_536)), number16(value)]);

/** Bytes as hexadecimal digits write them; dots and spaces are for readers. */
export const bytesOf = (digits: string): Uint8Array =>
  new Uint8Array((digits.replaceAll(/[. ]/g, "").match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));

/** The version of a registry, the eighth byte of a key, tells nothing of what is meant. */
export const isKey = (key: Uint8Array, wanted: Uint8Array): boolean =>
  wanted.every((byte, index) => index === 7 || key[index] === byte);
