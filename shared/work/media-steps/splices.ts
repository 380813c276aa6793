import { z } from "zod";
import { maxSplicePoints, splicePoint } from "../splice-point.ts";
import { stepId } from "../steps/step-id.ts";

/** Finds the SCTE-35 sections of a transport stream, or reads a file that lists them; its result holds the points. */
export const findSplicesStep = z.strictObject({
  do: z.literal("find_splices"),
  id: stepId,
  asset: z.string(),
  /** The PIDs of a transport stream, and the time stamp of its picture's start. Absent: the file is a list. */
  stream: z
    .strictObject({
      pids: z.array(z.number().int().min(0).max(8190)).min(1).max(100),
      picture: z.number().int().min(0).max(8190),
      zero: z.number().int().nonnegative(),
      /** The clock jumps, and its jumps are closed. */
      hasJumps: z.literal(true).optional(),
    })
    .optional(),
});

/**
 * Puts SCTE-35 sections into what an earlier step wrote: a transport stream, numbered segments of one, a playlist and its
 * segments, or a DASH manifest.
 */
export const insertSplicesStep = z.strictObject({
  do: z.literal("insert_splices"),
  id: stepId,
  of: z.string(),
  into: z.enum(["stream", "segments", "playlist", "manifest"]).default("stream"),
  points: z.array(splicePoint).max(maxSplicePoints),
  /** The stream has a constant rate and must keep it. */
  isConstant: z.boolean(),
});
