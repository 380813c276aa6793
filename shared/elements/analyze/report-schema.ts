import { z } from "zod";
import { location } from "../../location.ts";
import { looseBoolean, openObject } from "../../loose.ts";

/** A report for people about the findings. */
export const report = z.looseObject({
  create_condition: z.enum(["always", "on_failure", "on_success"]).default("always"),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  location: location.optional(),
  temp_location: location.optional(),
  options: openObject({
    report_version: z.string().max(64).optional(),
    header_mask: z.unknown().optional(),
    use_timecode: looseBoolean().optional(),
  }).optional(),
});
export type ReportPayload = z.output<typeof report>;
