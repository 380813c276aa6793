import { type Rational, toNumber } from "../../../shared/basics/rational.ts";
import { boxed, boxesIn, textAt } from "./parts.ts";

/**
 * The movie box whose picture is shown for so many seconds and no longer (ISO/IEC 14496-12, 8.6.6): what follows in the
 * media stays for pictures that need it. Only ever shortens; a track without an edit list stays as it is.
 */
export const withPictureLength = (movie: Uint8Array, seconds: Rational): Uint8Array => {
  const boxes = boxesIn(movie, 8);
  const head = boxes.find((box) => textAt(box, 4) === "mvhd");
  if (!head) return movie;
  const ticks = Math.round(toNumber(seconds) * viewOf(head).getUint32(isLong(head) ? 28 : 20));
  const made = boxes.map((box) => (isPicture(box) ? shortened(box, ticks) : box));
  const heads = made.flatMap((box) => (textAt(box, 4) === "trak" ? (childOf(box, "tkhd") ?? []) : []));
  const longest = Math.max(0, ...heads.map((each) => readTime(each, isLong(each) ? 36 : 28)));
  const place = isLong(head) ? 32 : 24;
  return boxed(
    "moov",
    made.map((box) => (box === head && longest < readTime(head, place) ? withTime(head, place, longest) : box)),
  );
};

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
/** Version 1 has times of 64 bits. */
const isLong = (box: Uint8Array): boolean => box[8] === 1;

const childOf = (box: Uint8Array | undefined, type: string): Uint8Array | undefined =>
  box && boxesIn(box, 8).find((each) => textAt(each, 4) === type);

const isPicture = (box: Uint8Array): boolean => {
  const handler = textAt(box, 4) === "trak" ? childOf(childOf(box, "mdia"), "hdlr") : undefined;
  return handler !== undefined && textAt(handler, 16) === "vide";
};

const readTime = (box: Uint8Array, at: number): number =>
  isLong(box) ? Number(viewOf(box).getBigUint64(at)) : viewOf(box).getUint32(at);

const withTime = (box: Uint8Array, at: number, ticks: number): Uint8Array => {
  const made = box.slice();
  if (isLong(made)) viewOf(made).setBigUint64(at, BigInt(ticks));
  else viewOf(made).setUint32(at, ticks);
  return made;
};

const shortened = (track: Uint8Array, ticks: number): Uint8Array => {
  const list = childOf(childOf(track, "edts"), "elst");
  if (!list) return track;
  if (list.length < 16) return track;
  const size = isLong(list) ? 20 : 12;
  // A list that says more than it has ends early.
  const count = Math.min(viewOf(list).getUint32(12), Math.floor((list.length - 16) / size));
  const places = Array.from({ length: count }, (_, at) => 16 + at * size);
  const last = places.findLast((at) => viewOf(list).getInt32(at + (isLong(list) ? 8 : 4)) >= 0);
  if (last === undefined || readTime(list, last) <= ticks) return track;
  const made = withTime(list, last, ticks);
  const whole = places.reduce((sum, at) => sum + readTime(made, at), 0);
  return boxed(
    "trak",
    boxesIn(track, 8).map((box) => {
      if (textAt(box, 4) === "tkhd") return withTime(box, isLong(box) ? 36 : 28, whole);
      return textAt(box, 4) === "edts" ? boxed("edts", [made]) : box;
    }),
  );
};
