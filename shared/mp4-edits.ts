import { z } from "zod";
import { type Rational, ratio, rational } from "./rational.ts";

/** What a track of an MP4 or QuickTime file shows, one edit after the other; seconds. */
export const edit = z.strictObject({
  /** Where in the track's own media it begins; absent: nothing is shown. */
  mediaTime: rational.optional(),
  duration: rational,
  /** How fast it is shown, where it is not as it was taken; 0 is a picture that stands. */
  rate: rational.optional(),
});
export type Edit = z.output<typeof edit>;

/** More entries than this in one list are not read. */
const mostEdits = 1000;

/** The entries of an `elst` box; a list that breaks off ends before. Scales are ticks a second. */
export const editsOf = (list: DataView, movieScale: number, mediaScale: number): Edit[] => {
  if (list.byteLength < 8) return [];
  const isLong = list.getUint8(0) === 1;
  const entry = isLong ? 20 : 12;
  const count = Math.min(list.getUint32(4), mostEdits, Math.floor((list.byteLength - 8) / entry));
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * entry;
    const lasts = isLong ? Number(list.getBigUint64(at)) : list.getUint32(at);
    const media = isLong ? Number(list.getBigInt64(at + 8)) : list.getInt32(at + 4);
    return editOf(lasts, media, list.getInt32(at + entry - 4), { movieScale, mediaScale });
  });
};

type Scales = { readonly movieScale: number; readonly mediaScale: number };

const editOf = (lasts: number, media: number, rate: number, { movieScale, mediaScale }: Scales): Edit => ({
  ...(media >= 0 && { mediaTime: seconds(media, mediaScale) }),
  duration: seconds(lasts, movieScale),
  // 16 bits before the point and 16 behind it.
  ...(rate !== 65_536 && { rate: ratio(rate, 65_536) }),
});

const seconds = (ticks: number, scale: number): Rational => ratio(Number.isSafeInteger(ticks) ? ticks : 0, scale);

/** Ticks a second of an `mvhd` or `mdhd` box. */
export const timescaleOf = (head: DataView | undefined): number | undefined => {
  const at = head && head.byteLength > 0 && head.getUint8(0) === 1 ? 20 : 12;
  return head && head.byteLength >= at + 4 ? head.getUint32(at) || undefined : undefined;
};

/** The number of the track of a `tkhd` box. */
export const trackIdOf = (head: DataView | undefined): number | undefined => {
  const at = head && head.byteLength > 0 && head.getUint8(0) === 1 ? 20 : 12;
  return head && head.byteLength >= at + 4 ? head.getUint32(at) : undefined;
};
