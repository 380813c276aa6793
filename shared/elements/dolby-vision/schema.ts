import { z } from "zod";
import { location } from "../../location.ts";

/** The vendor's own encoder, for which one needs a licence; of its fields nothing more is known. */
export const dolbyVisionPayload = z.looseObject({
  location: location.optional(),
  targets: z.array(z.looseObject({})).max(200).optional(),
  module: z.unknown().optional(),
  options: z.looseObject({}).optional(),
});
