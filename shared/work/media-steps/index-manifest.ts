import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

/** Lets a DASH manifest that an earlier step wrote name the indexes in its files instead of every segment. */
export const indexManifestStep = z.strictObject({ do: z.literal("index_manifest"), id: stepId, of: z.string() });
