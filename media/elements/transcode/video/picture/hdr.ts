import { z } from "zod";
import { looseInteger } from "../../../../../shared/basics/loose-values.ts";
import { location } from "../../../../../shared/files/location.ts";

/** Static metadata of high dynamic range: its origin, or its values. */
export const hdr10 = z.looseObject({
  source: z.enum(["config", "source_metadata", "source_document", "media", "metadata_file", "none"]).optional(),
  master_display: z.string().max(200).optional(),
  max_cll: looseInteger(0, 65_535).optional(),
  max_fall: looseInteger(0, 65_535).optional(),
  metadata_location: location.optional(),
});

const asText = (value: unknown) => (typeof value === "number" ? String(value) : value);

export const dolbyVision = z.looseObject({
  profile: z.preprocess(asText, z.enum(["5", "8.1", "8.4", "hdr10", "sdr"])).optional(),
  convert_to_dolby_vision: z.looseObject({ mode: z.enum(["simple_conversion"]).optional() }).optional(),
});
