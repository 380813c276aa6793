import { z } from "zod";
import { location } from "../../location.ts";
import { looseBoolean } from "../../loose.ts";
import { existingFiles } from "../../work.ts";

/** A delivery for British broadcasters: MXF with the descriptive metadata of AS-11, and its sidecar. */
export const dppPackagerPayload = z.looseObject({
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  existing_files: existingFiles.default("fail"),
  options: z
    .looseObject({ delete_sources: looseBoolean().default(false), skip_validation: looseBoolean().default(false) })
    .optional(),
  metadata: z.looseObject({}).optional(),
  sidecar: looseBoolean().default(true),
});
