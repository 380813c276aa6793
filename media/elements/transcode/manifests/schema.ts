import { z } from "zod";
import { oneOrMany } from "../../../../shared/basics/loose-values.ts";
import { location } from "../../../../shared/files/location.ts";

/** A manifest over the targets that name its uid. */
export const manifest = z.looseObject({
  uid: z.string().min(1).max(200),
  kind: oneOrMany(z.enum(["hls", "dash", "smooth"])).optional(),
  location: location.optional(),
  file_pattern: z.string().min(1).max(1000).default("{source_basename}"),
});
export type Manifest = z.output<typeof manifest>;
