import { z } from "zod";
import {
  looseBoolean,
  looseInteger,
  looseNumber,
  oneOrMany,
  optionalObject,
} from "../../../shared/basics/loose-values.ts";
import { resultsFile } from "../report/schema.ts";
import { scalingAlgorithms } from "../transcode/video/values.ts";

/** Fields of every analysis. */
const common = { enabled: looseBoolean().default(true), is_optional: looseBoolean().default(false) };
const plain = optionalObject(common);
const level = looseNumber(0, 1).default(0.1);

export const videoAnalyses = z.looseObject({
  black: optionalObject({
    ...common,
    duration_sec: looseNumber(0, 3600).default(10),
    black_level: level,
    black_pixel_ratio: looseNumber(0, 1).default(0.98),
    ire_range_mode: z.enum(["auto", "full", "limited"]).optional(),
  }),
  black_borders: optionalObject({ ...common, black_level: level, max_outliers: looseInteger(0).optional() }),
  interlacing: plain,
  levels: optionalObject({
    ...common,
    chroma_levels: looseBoolean().optional(),
    histograms: looseBoolean().optional(),
  }),
  blockiness: optionalObject({
    ...common,
    algorithm: z.enum(["gbim", "npbm", "hybm"]).optional(),
    violation_frame_window: looseInteger(1).default(1),
    violation_threshold: looseNumber(0).optional(),
    max_report_violations: looseInteger(0).optional(),
  }),
  complexity: optionalObject({
    ...common,
    analysis_width: looseInteger(8, 8192).optional(),
    analysis_height: looseInteger(8, 8192).optional(),
  }),
  compressed_stats: optionalObject({ ...common, window_size: looseInteger(1).optional() }),
  content_variance: plain,
  hdr_stats: plain,
  scene_change_score: optionalObject({
    ...common,
    thresholds: oneOrMany(looseNumber(0)).optional(),
    cutlist_threshold: looseNumber(0).optional(),
  }),
  pse: optionalObject({ ...common, standard: z.string().max(64).optional(), report: z.unknown().optional() }),
  psnr: optionalObject({ ...common, results_file: resultsFile.optional() }),
  ssim: optionalObject({ ...common, results_file: resultsFile.optional() }),
  vmaf: optionalObject({ ...common, results_file: resultsFile.optional() }),
  settings: optionalObject({
    comparative: optionalObject({
      size_selector: z.enum(["compare_asset", "source"]).optional(),
      scaler: optionalObject({ algorithm: z.enum(scalingAlgorithms).optional() }),
    }),
  }),
});
