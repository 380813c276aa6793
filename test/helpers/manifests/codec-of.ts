import { type Box, boxAt } from "./boxes.ts";

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(2, "0");
const two = (value: number): string => String(value).padStart(2, "0");

/** The `codecs` parameter of a sample entry, from the box that configures its decoder (RFC 6381 and each codec's own). */
export const codecOf = (bytes: Buffer, type: string, entry: Box): string => {
  const read = readers[type];
  const box = read && boxAt(bytes, [read.box], entry);
  return box ? read.name(bytes.subarray(box.from, box.to), type) : type;
};

const avc = (box: Buffer, type: string) => `${type}.${box.toString("hex", 1, 4)}`;

/** ISO/IEC 14496-15, annex E.3. */
const hevc = (box: Buffer, type: string): string => {
  const head = box.readUInt8(1);
  const reversed = Number.parseInt([...box.readUInt32BE(2).toString(2).padStart(32, "0")].reverse().join(""), 2);
  const constraints = [...box.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    ...[type, `${["", "A", "B", "C"][head >> 6]}${head & 31}`, reversed.toString(16).toUpperCase()],
    ...[`${head & 32 ? "H" : "L"}${box.readUInt8(12)}`, ...constraints.map((each) => each.toString(16).toUpperCase())],
  ].join(".");
};

/** AV1 Codec ISO Media File Format Binding, section 5. */
const av1 = (box: Buffer, type: string): string => {
  const [, one = 0, other = 0] = box;
  const depth = other & 0x40 ? (other & 0x20 ? 12 : 10) : 8;
  return `${type}.${one >> 5}.${two(one & 31)}${other & 0x80 ? "H" : "M"}.${two(depth)}`;
};

/** VP Codec ISO Media File Format Binding. */
const vp9 = (box: Buffer, type: string): string =>
  [type, two(box.readUInt8(4)), two(box.readUInt8(5)), two(box.readUInt8(6) >> 4)].join(".");

/** ISO/IEC 14496-1: the object type, and of AAC the audio object type. */
const mpeg4 = (box: Buffer, type: string): string => {
  let at = 4;
  const open = (tag: number): boolean => {
    if (box[at] !== tag) return false;
    at += 1;
    while ((box[at] ?? 0) & 0x80) at += 1;
    at += 1;
    return true;
  };
  if (!open(3)) return type;
  at += 3;
  if (!open(4)) return type;
  const kind = box.readUInt8(at);
  at += 13;
  if (kind !== 0x40 || !open(5)) return `${type}.${hex(kind)}`;
  const object = box.readUInt8(at) >> 3;
  return `${type}.40.${object === 31 ? 32 + ((box.readUInt16BE(at) >> 5) & 63) : object}`;
};

const readers: Readonly<
  Record<string, { readonly box: string; readonly name: (box: Buffer, type: string) => string }>
> = {
  avc1: { box: "avcC", name: avc },
  avc3: { box: "avcC", name: avc },
  hvc1: { box: "hvcC", name: hevc },
  hev1: { box: "hvcC", name: hevc },
  av01: { box: "av1C", name: av1 },
  vp09: { box: "vpcC", name: vp9 },
  mp4a: { box: "esds", name: mpeg4 },
};

/** Whether two names of a codec mean the same: optional fields may be missing, and letters be small. */
export const isSameCodec = (one: string, other: string): boolean => {
  const [short, long] = [one, other]
    .map((each) => each.toLowerCase().replace(/\.0?b0$/, ""))
    .sort((a, b) => a.length - b.length);
  return (
    short !== undefined &&
    long !== undefined &&
    (short === long || (/^(av01|vp09)/.test(short) && long.startsWith(`${short}.`)))
  );
};
