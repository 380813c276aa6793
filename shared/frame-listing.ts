import { z } from "zod";
import { rational } from "./rational.ts";

/** Frames of one file's picture whose times somebody must know, counted from the one that is shown at `zero`. */
export const frameQuestion = z.strictObject({
  /** The picture's index in its file. */
  stream: z.number().int().nonnegative(),
  /** The stamp of the file that counts as zero, in seconds. */
  zero: rational,
  at: z.array(z.number().int().nonnegative()).max(500),
});
export type FrameQuestion = z.output<typeof frameQuestion>;

/** How pictures depend on one another, told from all packets of a stream. */
export const groupFacts = z.strictObject({
  keyframes: z.number().int().nonnegative(),
  /** Frames from one keyframe to the next, at least and at most; both absent where there is but one. */
  shortest: z.number().int().positive().optional(),
  longest: z.number().int().positive().optional(),
  /** No picture that is shown before a keyframe lies behind it in the file: reading may begin at any of them. */
  isClosed: z.boolean(),
  hasBFrames: z.boolean(),
});
export type GroupFacts = z.output<typeof groupFacts>;

/** What was found by listing all packets of a stream. */
export const frameListing = z.strictObject({
  stream: frameQuestion.shape.stream,
  zero: rational,
  /** Frames from zero to the end. */
  frames: z.number().int().nonnegative(),
  /** When those frames begin that were asked for, in seconds from zero; behind the last one, when that one ends. */
  times: z.array(z.tuple([z.number().int().nonnegative(), rational])).max(500),
  groups: groupFacts,
});
export type FrameListing = z.output<typeof frameListing>;

/** Whether a listing answers a question. */
export const answers = ({ stream, zero, times }: FrameListing, question: FrameQuestion): boolean => {
  const isSame = stream === question.stream && zero.num === question.zero.num && zero.den === question.zero.den;
  return isSame && question.at.every((frame) => times.some(([known]) => known === frame));
};
