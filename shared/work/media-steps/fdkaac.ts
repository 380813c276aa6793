import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const scratchName = z.string().regex(/^[a-z0-9_-]{1,64}$/);

/** Encodes a WAV file of the attempt's folder to HE-AAC, in an M4A file beside it, with the program fdkaac. */
export const fdkaacStep = z.strictObject({
  do: z.literal("fdkaac"),
  id: stepId,
  from: scratchName,
  to: scratchName,
  /** 5: HE-AAC. 29: HE-AAC v2, with parametric stereo. */
  profile: z.literal([5, 29]),
  bitRate: z.number().int().positive(),
});
