import { z } from "zod";
import { location } from "../../location.ts";
import { looseBoolean, looseInteger } from "../../loose.ts";

/** Which files of a folder are meant. */
export const fileSelection = {
  pattern_matching: z.enum(["wildcard", "regex"]).default("wildcard"),
  wildcard: z.string().min(1).max(1000).default("*"),
  regex: z.string().max(1000).optional(),
  recursive: looseBoolean().default(false),
};

export const folderEnumPayload = z.looseObject({
  source: location,
  settings: z.looseObject({ ...fileSelection, files_per_job: looseInteger(1, 100_000).default(1) }).optional(),
});
