import { z } from "zod";
import { looseBoolean, looseInteger } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { existingFiles } from "../../../shared/work/work.ts";

export const copyPayload = z.looseObject({
  target: z.looseObject({
    location,
    file_pattern: z.string().min(1).max(1000).default("{source_name}"),
    existing_files: existingFiles.default("fail"),
  }),
  options: z
    .looseObject({
      delete_sources: looseBoolean().default(false),
      delete_source_on_completion: looseBoolean().default(false),
      multi_source_mode: z.enum(["use_first", "use_all", "concatenate"]).default("use_all"),
      throttle_byte_per_sec: looseInteger(1).optional(),
      multi_file_concurrency: looseInteger(1, 1000).optional(),
      restore_from_glacier: looseBoolean().default(false),
    })
    .prefault({}),
});
export type CopyPayload = z.output<typeof copyPayload>;
