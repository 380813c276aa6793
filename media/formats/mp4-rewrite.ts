import { boxesIn, textAt } from "./mp4-parts.ts";

/** Changes of the boxes at the head of an MP4 or QuickTime file, which its muxer has no options for. */
export type BoxChanges = {
  readonly brands?: { readonly names: readonly string[]; readonly replaces: boolean } | undefined;
  /** Four letters in the description of each picture track, of QuickTime files. */
  readonly vendor?: string | undefined;
  /** The whole picture is the clean aperture. */
  readonly hasAperture?: boolean | undefined;
};

/** The file type box with other compatible brands; none of them twice. */
export const changedType = (box: Uint8Array, { brands }: BoxChanges): Uint8Array => {
  if (!brands) return box;
  const count = Math.floor((box.length - 16) / 4);
  const old = Array.from({ length: Math.max(0, count) }, (_, at) => textAt(box, 16 + at * 4));
  const names = [...new Set([...(brands.replaces ? [] : old), ...brands.names.map((name) => name.padEnd(4))])];
  return boxed("ftyp", [box.subarray(8, 16), new TextEncoder().encode(names.join(""))]);
};

/** The movie box, whose offsets of chunks follow `moved`. */
export const changedMovie = (box: Uint8Array, changes: BoxChanges, moved: (offset: number) => number): Uint8Array =>
  changed(box, { changes, moved, isPicture: false });

type Work = {
  readonly changes: BoxChanges;
  readonly moved: (offset: number) => number;
  /** Within the track of a picture. */
  readonly isPicture: boolean;
};

const containers = ["moov", "trak", "mdia", "minf", "stbl"];

const changed = (box: Uint8Array, work: Work): Uint8Array => {
  const type = textAt(box, 4);
  if (type === "stco" || type === "co64") return withOffsets(box, type, work.moved);
  if (type === "stsd" && work.isPicture) return withDescriptions(box, work.changes);
  if (!containers.includes(type)) return box;
  const isPicture = work.isPicture || (type === "trak" && isPictureTrack(box));
  return boxed(
    type,
    boxesIn(box, 8).map((each) => changed(each, { ...work, isPicture })),
  );
};

const isPictureTrack = (track: Uint8Array): boolean => {
  const media = boxesIn(track, 8).find((each) => textAt(each, 4) === "mdia");
  const handler = media && boxesIn(media, 8).find((each) => textAt(each, 4) === "hdlr");
  return handler !== undefined && textAt(handler, 16) === "vide";
};

const withOffsets = (box: Uint8Array, type: "stco" | "co64", moved: Work["moved"]): Uint8Array => {
  const made = box.slice();
  const view = new DataView(made.buffer);
  const size = type === "stco" ? 4 : 8;
  for (let at = 16; at + size <= made.length; at += size) {
    if (size === 8) view.setBigUint64(at, BigInt(moved(Number(view.getBigUint64(at)))));
    else view.setUint32(at, fitting(moved(view.getUint32(at))));
  }
  return made;
};

const fitting = (offset: number): number => {
  if (offset < 2 ** 32) return offset;
  throw new RangeError("an offset does not fit into 32 bits");
};

/** Bytes of a picture's description before the boxes that follow. */
const described = 86;

const withDescriptions = (box: Uint8Array, { vendor, hasAperture }: BoxChanges): Uint8Array => {
  const entries = boxesIn(box, 16).map((entry) => {
    if (entry.length < described) return entry;
    const made = entry.slice();
    if (vendor) made.set(new TextEncoder().encode(vendor.padEnd(4).slice(0, 4)), 20);
    if (!hasAperture) return made;
    const aperture = boxed("clap", [apertureOf(made)]);
    return boxed(textAt(made, 4), [made.subarray(8, described), aperture, made.subarray(described)]);
  });
  return boxed("stsd", [box.subarray(8, 16), ...entries]);
};

/** Width, height and the offsets of the middle, each as a fraction. */
const apertureOf = (entry: Uint8Array): Uint8Array => {
  const view = new DataView(entry.buffer, entry.byteOffset);
  const numbers = [view.getUint16(32), 1, view.getUint16(34), 1, 0, 1, 0, 1];
  const made = new DataView(new ArrayBuffer(32));
  for (const [at, number] of numbers.entries()) made.setUint32(at * 4, number);
  return new Uint8Array(made.buffer);
};

const boxed = (type: string, parts: readonly Uint8Array[]): Uint8Array => {
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  const made = new Uint8Array(size);
  new DataView(made.buffer).setUint32(0, size);
  made.set(new TextEncoder().encode(type), 4);
  let at = 8;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
};
