import { z } from "zod";
import { looseBoolean } from "../../../../../shared/basics/loose-values.ts";
import { location } from "../../../../../shared/files/location.ts";
import { jobSections } from "../../../../splices/job-section.ts";

/** `{scte35_in_json: {…}}` means the same as the fields alone, which identify the variant. */
const unwrapped = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value;
  const [only, second] = Object.entries(value);
  return only?.[0].startsWith("scte35_in_") && !second ? only[1] : value;
};

/** Where the points for advertisements come from: the source, a file, or this list. */
export const scte35 = z.preprocess(
  unwrapped,
  z.looseObject({
    write_scte35_packets: looseBoolean().default(true),
    use_source_media: z.enum(["required", "if_exists"]).optional(),
    splicepoint_file: location.optional(),
    scte35_sections: jobSections.optional(),
  }),
);
