import { z } from "zod";
import { stepId } from "../steps/step-id.ts";
import { lightNumbers } from "./matroska-light.ts";

const channel = z.strictObject({
  label: z.number().int().min(0).max(0xffff_ffff),
  symbol: z.string().max(20).optional(),
});

/** Says in the header of an MXF file of an earlier step what its channels are called, and HDR10 of its picture. */
export const mxfHeaderStep = z.strictObject({
  do: z.literal("mxf_header"),
  id: stepId,
  of: z.string(),
  changes: z.strictObject({
    light: z.strictObject(lightNumbers).optional(),
    sounds: z
      .array(
        z.strictObject({
          track: z.number().int().nonnegative(),
          channels: z.array(channel).max(64).readonly(),
          language: z.string().max(40).optional(),
        }),
      )
      .max(100)
      .readonly()
      .optional(),
  }),
});
