import { z } from "zod";
import { rational } from "../basics/rational.ts";

const size = z.strictObject({ width: z.number().int().positive(), height: z.number().int().positive() });
export type PictureSize = z.output<typeof size>;

/** A small version of a file that every browser plays: how long it is, and where it can be cut. */
export const preview = z.strictObject({
  /** Steps a second: frames, or AAC blocks if there is no picture. Segments are cut between steps. */
  rate: rational,
  steps: z.number().int().positive(),
  picture: size.nullable(),
  hasSound: z.boolean(),
  /** The timecode of the first frame. */
  timecode: z.string().max(100).optional(),
  /** The media of the file in a few words. */
  source: z.string().max(2000),
});
export type Preview = z.output<typeof preview>;
