import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** HDR10 of a picture: of the display that it was made on, and of its light. */
export const lightNumbers = {
  display: z.array(z.number().int().nonnegative()).length(10).readonly().optional(),
  light: z.array(z.number().int().nonnegative()).length(2).readonly().optional(),
};

/** Writes HDR10 into the head of a Matroska or WebM file of an earlier step, whose muxer has left room for it. */
export const matroskaLightStep = z.strictObject({
  do: z.literal("matroska_light"),
  id: stepId,
  of: z.string(),
  ...lightNumbers,
});
