import { z } from "zod";
import { rational } from "../basics/rational.ts";

/** Frames of one file whose times are needed, counted from the one that is shown at `zero`. */
export const frameQuestion = z.strictObject({
  /** The index of the video stream in its file. */
  stream: z.number().int().nonnegative(),
  /** The file's time stamp that counts as zero, in seconds. */
  zero: rational,
  at: z.array(z.number().int().nonnegative()).max(500),
});
export type FrameQuestion = z.output<typeof frameQuestion>;

/** How pictures depend on one another, derived from all packets of a stream. */
export const groupFacts = z.strictObject({
  keyframes: z.number().int().nonnegative(),
  /** The minimum and maximum number of frames from one key frame to the next; both absent if there is only one. */
  shortest: z.number().int().positive().optional(),
  longest: z.number().int().positive().optional(),
  /** No picture shown before a key frame is stored after it: reading may begin at any key frame. */
  isClosed: z.boolean(),
  hasBFrames: z.boolean(),
});
export type GroupFacts = z.output<typeof groupFacts>;

/** The result of listing all packets of a stream. */
export const frameListing = z.strictObject({
  stream: frameQuestion.shape.stream,
  zero: rational,
  /** Frames from zero to the end. */
  frames: z.number().int().nonnegative(),
  /**
   * The start times of the requested frames, in seconds from zero; for a frame after the last one, the end of the last
   * one.
   */
  times: z.array(z.tuple([z.number().int().nonnegative(), rational])).max(500),
  groups: groupFacts,
});
export type FrameListing = z.output<typeof frameListing>;

/** Whether a listing answers a question. */
export const answers = ({ stream, zero, times }: FrameListing, question: FrameQuestion): boolean => {
  const isSame = stream === question.stream && zero.num === question.zero.num && zero.den === question.zero.den;
  return isSame && question.at.every((frame) => times.some(([known]) => known === frame));
};
