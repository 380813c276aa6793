import { z } from "zod";
import { location } from "../../../shared/files/location.ts";

/** The vendor's own encoder, which needs a licence; its fields are unknown. */
export const dolbyVisionPayload = z.looseObject({
  location: location.optional(),
  targets: z.array(z.looseObject({})).max(200).optional(),
  module: z.unknown().optional(),
  options: z.looseObject({}).optional(),
});
