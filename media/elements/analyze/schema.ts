import { z } from "zod";
import { listOf, looseBoolean, looseInteger, oneOrMany, optionalObject } from "../../../shared/basics/loose-values.ts";
import { atomStyles } from "../../../shared/work/media-steps/atoms.ts";
import { trim } from "../../virtual-source/trim-schema.ts";
import { report } from "../report/schema.ts";
import { contents, decodeOptions, sourcePayload } from "../source/schema.ts";
import { transcodeOptions } from "../transcode/pipeline-schema.ts";
import { audioAnalyses } from "./audio-schema.ts";
import { videoAnalyses } from "./video-schema.ts";

export const analyzePayload = z.looseObject({
  general_properties: optionalObject({
    enabled: looseBoolean().default(true),
    mov_atom_descriptor_style: z.enum(atomStyles).optional(),
  }),
  deep_properties: optionalObject({ video: videoAnalyses.optional(), audio: oneOrMany(audioAnalyses).optional() }),
  compare_asset: sourcePayload.optional(),
  source_pipeline: optionalObject({
    contents: contents.optional(),
    trim: trim.optional(),
    options: decodeOptions.optional(),
  }),
  options: optionalObject({
    response_version: looseInteger(1, 2).optional(),
    ...transcodeOptions.pick({ pipeline: true }).shape,
    ...decodeOptions.shape,
  }),
  report: report.optional(),
  reports: listOf(report, 100).optional(),
});
export type AnalyzePayload = z.output<typeof analyzePayload>;
