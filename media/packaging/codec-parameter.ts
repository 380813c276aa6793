import { boxesIn, textAt } from "../formats/mp4/parts.ts";

/**
 * The `codecs` parameter (RFC 6381) of every track that the header of an MP4 file describes, from the boxes that configure
 * decoders; none if it is no such header.
 */
export const codecParameters = (header: Uint8Array): string[] => {
  const movie = boxesIn(header, 0).find(isNamed("moov"));
  return (movie ? boxesIn(movie, 8) : []).filter(isNamed("trak")).flatMap((track) => {
    const media = within(track, "mdia");
    const [entry] = boxesIn(within(within(within(media, "minf"), "stbl"), "stsd"), 16);
    const handler = within(media, "hdlr");
    return entry && handler.length > 20 ? [parameterOf(entry, 8 + (fixedBytes[textAt(handler, 16)] ?? 8))] : [];
  });
};

const isNamed = (type: string) => (box: Uint8Array) => textAt(box, 4) === type;

const within = (box: Uint8Array, type: string, from = 8): Uint8Array =>
  boxesIn(box, from).find(isNamed(type)) ?? new Uint8Array();

/** How long the fixed part of an entry is, by the track's handler (ISO/IEC 14496-12, 12). */
const fixedBytes: Readonly<Record<string, number>> = { vide: 78, soun: 28 };

const parameterOf = (entry: Uint8Array, from: number): string => {
  const original = within(within(entry, "sinf", from), "frma");
  const type = textAt(original.length >= 12 ? original : entry, original.length >= 12 ? 8 : 4);
  const [name = "", read] = readers[type] ?? [];
  const box = within(entry, name, from);
  return (box.length > 8 && read?.(box.subarray(8), type)) || type;
};

const hex = (value: number, digits = 1): string => value.toString(16).padStart(digits, "0");
const two = (value: number): string => String(value).padStart(2, "0");

type Read = (box: Uint8Array, type: string) => string | undefined;

/** ISO/IEC 14496-15, 5.3.3: profile, constraints and level. */
const avc: Read = ([, profile = 0, constraints = 0, level = 0], type) =>
  `${type}.${hex(profile, 2)}${hex(constraints, 2)}${hex(level, 2)}`;

/** ISO/IEC 14496-15, annex E.3. */
const hevc: Read = (box, type) => {
  const [, head = 0] = box;
  let compatible = 0;
  for (let bit = 0; bit < 32; bit += 1) if (((box[2 + (bit >> 3)] ?? 0) >> (7 - (bit & 7))) & 1) compatible += 2 ** bit;
  const constraints = [...box.subarray(6, 12)];
  while (constraints.at(-1) === 0) constraints.pop();
  const profile = `${["", "A", "B", "C"][head >> 6]}${head & 31}`;
  const level = `${head & 32 ? "H" : "L"}${box[12] ?? 0}`;
  return [type, profile, hex(compatible), level, ...constraints.map((each) => hex(each))]
    .join(".")
    .toUpperCase()
    .replace(/^[^.]*/, type);
};

/** AV1 Codec ISO Media File Format Binding, 5. */
const av1: Read = ([, profile = 0, flags = 0], type) => {
  const depth = flags & 0x40 ? (flags & 0x20 ? 12 : 10) : 8;
  return `${type}.${profile >> 5}.${two(profile & 31)}${flags & 0x80 ? "H" : "M"}.${two(depth)}`;
};

/** VP Codec ISO Media File Format Binding, "Codecs Parameter String". */
const vp9: Read = ([, , , , profile = 0, level = 0, depth = 0], type) =>
  `${type}.${two(profile)}.${two(level)}.${two(depth >> 4)}`;

const esDescriptor = 3;
const decoderConfig = 4;
const decoderSpecific = 5;
const mpeg4Audio = 0x40;

/** ISO/IEC 14496-1, 7.2.6: the object type, and of AAC the kind of sound. */
const mpeg4: Read = (box, type) => {
  let at = 4;
  const isOpened = (tag: number): boolean => {
    if (box[at] !== tag) return false;
    at += 1;
    while (((box[at] ?? 0) & 0x80) !== 0) at += 1;
    at += 1;
    return true;
  };
  if (!isOpened(esDescriptor)) return undefined;
  at += 3;
  if (!isOpened(decoderConfig)) return undefined;
  const kind = box[at] ?? 0;
  at += 13;
  if (kind !== mpeg4Audio || !isOpened(decoderSpecific)) return `${type}.${hex(kind, 2).toUpperCase()}`;
  const first = (box[at] ?? 0) >> 3;
  return `${type}.40.${first === 31 ? 32 + ((((box[at] ?? 0) & 7) << 3) | ((box[at + 1] ?? 0) >> 5)) : first}`;
};

const readers: Readonly<Record<string, readonly [box: string, read: Read]>> = {
  avc1: ["avcC", avc],
  avc3: ["avcC", avc],
  hvc1: ["hvcC", hevc],
  hev1: ["hvcC", hevc],
  av01: ["av1C", av1],
  vp09: ["vpcC", vp9],
  mp4a: ["esds", mpeg4],
};
