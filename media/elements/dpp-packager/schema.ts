import { z } from "zod";
import { looseBoolean } from "../../../shared/basics/loose-values.ts";
import { location } from "../../../shared/files/location.ts";
import { existingFiles } from "../../../shared/work/work.ts";
import { programme } from "./programme.ts";
import { shimNames } from "./shims.ts";

/** A delivery for British broadcasters: OP1a MXF as AS-11 UK DPP wants it, and the XML sidecar that describes it. */
export const dppPackagerPayload = z.looseObject({
  /** Absent: the one whose picture came in. */
  schema: z.enum(shimNames).optional(),
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
  existing_files: existingFiles.default("fail"),
  options: z
    .looseObject({ delete_sources: looseBoolean().default(false), skip_validation: looseBoolean().default(false) })
    .optional(),
  metadata: programme.optional(),
  sidecar: looseBoolean().default(true),
  /** Asks for the descriptive metadata inside the MXF as well. */
  embed_metadata: looseBoolean().default(false),
});
export type DppPackagerPayload = z.output<typeof dppPackagerPayload>;
