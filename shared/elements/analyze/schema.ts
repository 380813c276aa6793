import { z } from "zod";
import { looseBoolean, looseInteger, oneOrMany } from "../../loose.ts";
import { atomStyles } from "../../steps/atoms.ts";
import { contents, decodeOptions, sourcePayload, trim } from "../source/schema.ts";
import { transcodeOptions } from "../transcode/pipeline-schema.ts";
import { audioAnalyses } from "./audio-schema.ts";
import { report } from "./report-schema.ts";
import { videoAnalyses } from "./video-schema.ts";

export const analyzePayload = z.looseObject({
  general_properties: z
    .looseObject({
      enabled: looseBoolean().default(true),
      mov_atom_descriptor_style: z.enum(atomStyles).optional(),
    })
    .optional(),
  deep_properties: z
    .looseObject({ video: videoAnalyses.optional(), audio: oneOrMany(audioAnalyses).optional() })
    .optional(),
  compare_asset: sourcePayload.optional(),
  source_pipeline: z
    .looseObject({ contents: contents.optional(), trim: trim.optional(), options: decodeOptions.optional() })
    .optional(),
  options: z
    .looseObject({
      response_version: looseInteger(1, 2).optional(),
      ...transcodeOptions.pick({ pipeline: true }).shape,
      ...decodeOptions.shape,
    })
    .optional(),
  report: report.optional(),
  reports: z.array(report).max(100).optional(),
});
export type AnalyzePayload = z.output<typeof analyzePayload>;
