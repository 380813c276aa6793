import { z } from "zod";
import { looseBoolean, looseInteger } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { existingFiles } from "../../../shared/work/work.ts";

export const bifCreatorPayload = z.looseObject({
  source_stream_selection: z.enum(["all", "highest", "middle", "first"]).optional(),
  timestamp_multiplier: looseInteger(1).optional(),
  base_name: z.string().min(1).max(1000).default("{source_basename}"),
  location: location.optional(),
  existing_files: existingFiles.default("fail"),
  include_in_result: looseBoolean().optional(),
});
export type BifCreatorPayload = z.output<typeof bifCreatorPayload>;
