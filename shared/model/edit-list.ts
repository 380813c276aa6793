import { z } from "zod";
import { type Rational, ratio, rational } from "../basics/rational.ts";

/** The edits of a track in an MP4 or QuickTime file, in order; seconds. */
export const edit = z.strictObject({
  /** Where it begins in the track's own media; absent: nothing is shown. */
  mediaTime: rational.optional(),
  duration: rational,
  /** Playback speed, if not 1; 0 is a still picture. */
  rate: rational.optional(),
});
export type Edit = z.output<typeof edit>;

/** The maximum number of entries read from one list. */
const mostEdits = 1000;

/** The entries of an `elst` box; a truncated list ends early. Scales are in ticks per second. */
export const parseEditList = (list: DataView, movieScale: number, mediaScale: number): Edit[] => {
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
  // 16 bits before the point and 16 after it.
  ...(rate !== 65_536 && { rate: ratio(rate, 65_536) }),
});

const seconds = (ticks: number, scale: number): Rational => ratio(Number.isSafeInteger(ticks) ? ticks : 0, scale);

/** Ticks per second of an `mvhd` or `mdhd` box. */
export const parseTimescale = (head: DataView | undefined): number | undefined => {
  const at = head && head.byteLength > 0 && head.getUint8(0) === 1 ? 20 : 12;
  return head && head.byteLength >= at + 4 ? head.getUint32(at) || undefined : undefined;
};

/** Seconds of a track's media, of its `mdhd` box; undefined where it names none. */
export const parseMediaDuration = (head: DataView | undefined): Rational | undefined => {
  const scale = parseTimescale(head);
  if (!head || !scale) return undefined;
  const isLong = head.getUint8(0) === 1;
  if (head.byteLength < (isLong ? 32 : 20)) return undefined;
  const ticks = isLong ? Number(head.getBigUint64(24)) : head.getUint32(16);
  return ticks > 0 && ticks !== 0xffff_ffff ? seconds(ticks, scale) : undefined;
};

/** The track number of a `tkhd` box. */
export const parseTrackId = (head: DataView | undefined): number | undefined => {
  const at = head && head.byteLength > 0 && head.getUint8(0) === 1 ? 20 : 12;
  return head && head.byteLength >= at + 4 ? head.getUint32(at) : undefined;
};
