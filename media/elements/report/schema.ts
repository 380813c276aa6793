import { z } from "zod";
import { looseBoolean, openObject } from "../../../shared/basics/loose-values.ts";
import { isObject } from "../../../shared/basics/plain-object.ts";
import { location } from "../../../shared/files/location.ts";

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

const withLocation = (value: unknown): unknown => {
  if (!isObject(value) || isObject(value.location) || (value.url ?? value.path) === undefined) return value;
  const { file_pattern, ...location } = value;
  return { location, ...(file_pattern !== undefined && { file_pattern }) };
};

/** A file of values in addition to the result: a folder and a name in it, or only the address of the file. */
export const resultsFile = z.preprocess(
  withLocation,
  z.looseObject({ location: location.optional(), file_pattern: z.string().min(1).max(1000).optional() }),
);
export type ResultsFile = z.output<typeof resultsFile>;
