import { boxed, boxesIn, textAt } from "./parts.ts";

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where a `tkhd` box has its track's number: times before it are as long as its version says (ISO/IEC 14496-12, 8.3.2). */
const numberOf = (track: Uint8Array): number => {
  const header = boxesIn(track, 8).find((box) => textAt(box, 4) === "tkhd");
  const at = header?.[8] === 1 ? 28 : 20;
  return header && header.length >= at + 4 ? viewOf(header).getUint32(at) : 0;
};

/** All ones: no number is free, and a reader has to look for one. */
const unknown = 0xffff_ffff;

/** The movie box with a `next_track_ID` that is larger than the number of every track in it (ISO/IEC 14496-12, 8.2.2). */
export const withNextTrack = (movie: Uint8Array): Uint8Array => {
  const boxes = boxesIn(movie, 8);
  const next = Math.min(
    unknown,
    1 + Math.max(0, ...boxes.filter((box) => textAt(box, 4) === "trak").map((track) => numberOf(track))),
  );
  const changed = boxes.map((box) => {
    if (textAt(box, 4) !== "mvhd" || box.length < 12 || viewOf(box).getUint32(box.length - 4) >= next) return box;
    const made = box.slice();
    viewOf(made).setUint32(made.length - 4, next);
    return made;
  });
  return boxed("moov", changed);
};
