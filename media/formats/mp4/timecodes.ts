import { mediaError } from "../../../shared/model/failure.ts";
import { boxed, boxesIn, textAt } from "./parts.ts";

/** A track of timecode: the number of its first frame, and how it counts. */
export type TimecodeTrack = { readonly frames: number; readonly isDrop: boolean };

/** The head of the box of samples, which lies behind all else. */
const head = 8;

/** The samples of such tracks, four bytes each, as a box of media data. */
export const timecodeSamples = (tracks: readonly TimecodeTrack[]): Uint8Array => {
  const numbers = new DataView(new ArrayBuffer(4 * tracks.length));
  for (const [at, { frames }] of tracks.entries()) numbers.setUint32(4 * at, frames);
  return boxed("mdat", [new Uint8Array(numbers.buffer)]);
};

/**
 * The movie box with these tracks behind the one of timecode that it has, of which they are copies. The picture refers to
 * all of them. Their samples lie in a box at `end`. Throws TaskError `media` where there is none that could be copied.
 */
export const withTimecodes = (movie: Uint8Array, tracks: readonly TimecodeTrack[], end: number): Uint8Array => {
  const boxes = boxesIn(movie, 8);
  const first = boxes.find((box) => textAt(box, 4) === "trak" && sampleOf(box) !== undefined);
  const header = boxes.find((box) => textAt(box, 4) === "mvhd");
  if (!first || !header) throw mediaError("The file has no track of timecode that further ones could be like");
  const next = viewOf(header).getUint32(header.length - 4);
  const made = tracks.map((track, at) => copyOf(first, { ...track, id: next + at, place: end + head + 4 * at }));
  const ids = tracks.map((_, at) => next + at);
  const changed = boxes.flatMap((box) => {
    if (box === header) return [withNumber(box, box.length - 4, next + tracks.length)];
    if (box === first) return [box, ...made];
    return textAt(box, 4) === "trak" ? [within(box, "tref", (each) => referring(each, ids))] : [box];
  });
  return boxed("moov", changed);
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const withNumber = (box: Uint8Array, at: number, number: number): Uint8Array => {
  const made = box.slice();
  viewOf(made).setUint32(at, number);
  return made;
};

/** A track's only sample, if it is one of timecode that has one: the box of the place of its chunk. */
const sampleOf = (track: Uint8Array): Uint8Array | undefined => {
  const find = (box: Uint8Array | undefined, type: string): Uint8Array | undefined =>
    box && boxesIn(box, 8).find((each) => textAt(each, 4) === type);
  const table = find(find(find(track, "mdia"), "minf"), "stbl");
  const description = find(table, "stsd");
  if (!table || !description || description.length < 24 || textAt(description, 20) !== "tmcd") return undefined;
  const chunk = boxesIn(table, 8).find((each) => /^(stco|co64)$/.test(textAt(each, 4)));
  return chunk && chunk.length > 16 ? chunk : undefined;
};

type Copy = TimecodeTrack & { readonly id: number; readonly place: number };

const copyOf = (track: Uint8Array, { id, place, isDrop }: Copy): Uint8Array => {
  const changes: Readonly<Record<string, (box: Uint8Array) => Uint8Array>> = {
    tkhd: (box) => withNumber(box, box[8] === 1 ? 28 : 20, id),
    stco: () => chunkAt(place),
    co64: () => chunkAt(place),
    stsd: (box) => counting(box, isDrop),
  };
  const copied = (box: Uint8Array): Uint8Array => {
    const type = textAt(box, 4);
    if (/^(trak|mdia|minf|stbl)$/.test(type)) return boxed(type, boxesIn(box, 8).map(copied));
    return changes[type]?.(box) ?? box;
  };
  return copied(track);
};

const chunkAt = (place: number): Uint8Array => {
  const made = new DataView(new ArrayBuffer(16));
  made.setUint32(4, 1);
  made.setBigUint64(8, BigInt(place));
  return boxed("co64", [new Uint8Array(made.buffer)]);
};

/** The flags of QuickTime's description of timecode: the lowest bit says that frames are dropped. */
const counting = (box: Uint8Array, isDrop: boolean): Uint8Array => {
  const flags = 16 + 20;
  const made = box.slice();
  if (made.length < flags + 4) return made;
  made[flags + 3] = ((made[flags + 3] ?? 0) & ~1) | (isDrop ? 1 : 0);
  return made;
};

const within = (box: Uint8Array, type: string, change: (box: Uint8Array) => Uint8Array): Uint8Array =>
  boxed(
    textAt(box, 4),
    boxesIn(box, 8).map((each) => (textAt(each, 4) === type ? change(each) : each)),
  );

const referring = (box: Uint8Array, ids: readonly number[]): Uint8Array =>
  within(box, "tmcd", (references) => {
    const numbers = new DataView(new ArrayBuffer(4 * ids.length));
    for (const [at, id] of ids.entries()) numbers.setUint32(4 * at, id);
    return boxed("tmcd", [references.subarray(8), new Uint8Array(numbers.buffer)]);
  });
