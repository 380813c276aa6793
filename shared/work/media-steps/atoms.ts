import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** condensed: the outermost atoms · by_track: those of the movie and of each track · full: all of them, within each other. */
export const atomStyles = ["condensed", "by_track", "full"] as const;

/** Lists the atoms of a QuickTime or MP4 file as part of its general properties. */
export const atomsStep = z.strictObject({
  do: z.literal("atoms"),
  id: stepId,
  asset: z.string(),
  style: z.enum(atomStyles),
});
