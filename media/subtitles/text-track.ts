/** A file of one track of texts, as ffmpeg's demuxer of QuickTime reads it; its bytes as characters. */

export type Sample = { readonly text: Uint8Array; readonly lasts: number };

type Track = {
  /** What kind of track it is, in four letters. */
  readonly handler: string;
  /** The box that describes its samples. */
  readonly description: Uint8Array;
};

/** Units a second. */
const scale = 1000;

/** Samples one after the other; their lengths are milliseconds. */
export const printTextTrack = (samples: readonly Sample[], track: Track): string => {
  const data = bytes(samples.map(({ text }) => text));
  const head = box("ftyp", [letters("isom"), u32(512), letters("isom")]);
  const moov = (offset: number) => movie(samples, offset, track);
  const before = head.length + moov(0).length + 8;
  return asText(bytes([head, moov(before), box("mdat", [data])]));
};

const movie = (samples: readonly Sample[], offset: number, { handler, description }: Track): Uint8Array => {
  const total = samples.reduce((sum, { lasts }) => sum + lasts, 0);
  const matrix = bytes([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32));
  const zeros = (count: number) => new Uint8Array(count);
  const mvhd = full("mvhd", [
    u32(0),
    u32(0),
    u32(scale),
    u32(total),
    u32(0x10000),
    u16(0x100),
    zeros(10),
    matrix,
    zeros(24),
    u32(2),
  ]);
  const tkhd = full("tkhd", [u32(0), u32(0), u32(1), u32(0), u32(total), zeros(16), matrix, zeros(8)], 7);
  const mdhd = full("mdhd", [u32(0), u32(0), u32(scale), u32(total), u16(0x55c4), u16(0)]);
  const hdlr = full("hdlr", [u32(0), letters(handler), zeros(13)]);
  const dinf = box("dinf", [full("dref", [u32(1), full("url ", [], 1)])]);
  const minf = box("minf", [full("nmhd", []), dinf, tables(samples, offset, description)]);
  return box("moov", [mvhd, box("trak", [tkhd, box("mdia", [mdhd, hdlr, minf])])]);
};

const tables = (samples: readonly Sample[], offset: number, description: Uint8Array): Uint8Array => {
  const sizes = samples.map(({ text }) => u32(text.length));
  const times = samples.flatMap(({ lasts }) => [u32(1), u32(lasts)]);
  return box("stbl", [
    full("stsd", [u32(1), description]),
    full("stts", [u32(samples.length), ...times]),
    full("stsc", samples.length > 0 ? [u32(1), u32(1), u32(samples.length), u32(1)] : [u32(0)]),
    full("stsz", [u32(0), u32(samples.length), ...sizes]),
    full("stco", samples.length > 0 ? [u32(1), u32(offset)] : [u32(0)]),
  ]);
};

export const u16 = (value: number): Uint8Array => Uint8Array.of(value >> 8, value);
export const u32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
export const letters = (text: string): Uint8Array => new TextEncoder().encode(text);

export const bytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const made = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
};

export const box = (type: string, parts: readonly Uint8Array[]): Uint8Array => {
  const content = bytes(parts);
  return bytes([u32(content.length + 8), letters(type), content]);
};

const full = (type: string, parts: readonly Uint8Array[], flags = 0): Uint8Array => box(type, [u32(flags), ...parts]);

const asText = (all: Uint8Array): string => {
  const parts: string[] = [];
  for (let at = 0; at < all.length; at += 8192) parts.push(String.fromCharCode(...all.subarray(at, at + 8192)));
  return parts.join("");
};
