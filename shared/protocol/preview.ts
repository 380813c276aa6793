import { z } from "zod";
import { type Rational, rational } from "../basics/rational.ts";

const side = z.number().int().positive().max(65_536);
const size = z.strictObject({ width: side, height: side });
export type PictureSize = z.output<typeof size>;

/** Of a file that is longer there is no preview: its playlist would name too many segments. */
const maxPreviewSeconds = 100_000;

export const isShort = ({ steps, rate: { num, den } }: { readonly steps: number; readonly rate: Rational }): boolean =>
  num > 0 && (steps * den) / num <= maxPreviewSeconds;

/** A small version of a file that every browser plays: how long it is, and where it can be cut. */
export const preview = z
  .strictObject({
    /** Steps a second: frames, or AAC blocks if there is no picture. Segments are cut between steps. */
    rate: rational,
    steps: z.number().int().positive(),
    picture: size.nullable(),
    hasSound: z.boolean(),
    /** The timecode of the first frame. */
    timecode: z.string().max(100).optional(),
    /** The media of the file in a few words. */
    source: z.string().max(2000),
  })
  .refine(isShort, `must be at most ${maxPreviewSeconds} seconds`);
export type Preview = z.output<typeof preview>;
