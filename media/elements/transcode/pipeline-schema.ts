import { z } from "zod";
import { looseBoolean, looseInteger, numberOrText, openObject } from "../../../shared/basics/loose-values.ts";
import { trim } from "../../virtual-source/trim-schema.ts";
import { contents, decodeOptions, trackOfMap } from "../source/schema.ts";
import { audioFilters } from "./audio/filters/index.ts";
import { videoFilters } from "./video/filters/index.ts";
import { dithers, scaler } from "./video/schema.ts";

const segmentedRendering = z.looseObject({
  duration_sec: looseInteger(1).optional(),
  scene_changes_search_duration_sec: looseInteger(0).optional(),
  total_segments: looseInteger(1).optional(),
  strict_cfr: looseBoolean().optional(),
  mux_offset_otb: looseInteger().optional(),
});

const pipelineFilters = z.looseObject({
  /** Which version of a sequence it is for. */
  selector: numberOrText().optional(),
  video: videoFilters.optional(),
  audio: audioFilters.optional(),
});

/** Operations on the source, done once, before any target sees it. */
export const sourcePipeline = z.looseObject({
  trim: trim.optional(),
  ffmpeg_source_args: z
    .string()
    .max(8000)
    .refine((text) => text.includes("{source_url}"), "does not say where {source_url} goes")
    .optional(),
  options: decodeOptions.optional(),
  accelerated_prores: looseBoolean().optional(),
  segmented_rendering: segmentedRendering.optional(),
  manifest_decode_strategy: z.enum(["simple", "reject_complex", "reject_master_playlist"]).optional(),
  chroma_dither_algorithm: z.enum(dithers).optional(),
  scaler: scaler.optional(),
  frame_rate: numberOrText().optional(),
  contents: contents.optional(),
  filters: z.array(pipelineFilters).max(100).optional(),
  multi_track_audio_processing: z
    .array(z.looseObject({ source: z.array(trackOfMap).max(1000), filters: audioFilters.optional() }))
    .max(100)
    .optional(),
});
export type SourcePipeline = z.output<typeof sourcePipeline>;

/** The tool versions that a job was written for, and how to read its source. */
export const transcodeOptions = z.looseObject({
  pipeline: openObject({
    encoder_version: z.string().max(100).optional(),
    ffmpeg_version: z.string().max(100).optional(),
    analyzer_version: z.string().max(100).optional(),
    licenses: z.array(z.string().max(4000)).max(100).optional(),
  }).optional(),
  source_read_mode: z.string().max(64).optional(),
  delete_sources: looseBoolean().optional(),
  result: z.looseObject({}).optional(),
});
