import { z } from "zod";
import { stepId } from "../steps/step-id.ts";

const scratchName = z.string().regex(/^[a-z0-9_-]{1,64}$/);
const side = z.number().int().min(16).max(4096);
const page = z.number().int().min(1).max(65_535);

/** Draws pages of subtitles, and writes them as DVB subtitles (ETSI EN 300 743) into a Matroska file of their own. */
export const dvbSubtitlesStep = z.strictObject({
  do: z.literal("dvb_subtitles"),
  id: stepId,
  /** A script in the form `pages`. */
  from: scratchName,
  to: scratchName,
  canvas: z.strictObject({ width: side, height: side }),
  /** Width to height of what is seen. */
  aspect: z.number().positive().max(10),
  language: z.string().length(3),
  page,
  /** `subtitling_type` of ETSI EN 300 468. */
  type: z.number().int().min(0).max(255),
  depth: z.union([z.literal(2), z.literal(4), z.literal(8)]),
  tellsCanvas: z.boolean(),
  isFullWidth: z.boolean().optional(),
  isFullObject: z.boolean().optional(),
  isFilled: z.boolean().optional(),
  keepsRegion: z.boolean().optional(),
  sendsClear: z.boolean().optional(),
});
