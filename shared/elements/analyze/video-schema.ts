import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, oneOrMany } from "../../loose.ts";
import { scalingAlgorithms } from "../transcode/video/values.ts";
import { resultsFile } from "./report-schema.ts";

/** Fields of every analysis. */
const common = { enabled: looseBoolean().default(true), is_optional: looseBoolean().default(false) };
const plain = z.looseObject(common).optional();
const level = looseNumber(0, 1).default(0.1);

export const videoAnalyses = z.looseObject({
  black: z
    .looseObject({
      ...common,
      duration_sec: looseNumber(0, 3600).default(10),
      black_level: level,
      black_pixel_ratio: looseNumber(0, 1).default(0.98),
      ire_range_mode: z.enum(["auto", "full", "limited"]).optional(),
    })
    .optional(),
  black_borders: z.looseObject({ ...common, black_level: level, max_outliers: looseInteger(0).optional() }).optional(),
  interlacing: plain,
  levels: z
    .looseObject({ ...common, chroma_levels: looseBoolean().optional(), histograms: looseBoolean().optional() })
    .optional(),
  blockiness: z
    .looseObject({
      ...common,
      algorithm: z.enum(["gbim", "npbm", "hybm"]).optional(),
      violation_frame_window: looseInteger(1).default(1),
      violation_threshold: looseNumber(0).optional(),
      max_report_violations: looseInteger(0).optional(),
    })
    .optional(),
  complexity: z
    .looseObject({
      ...common,
      analysis_width: looseInteger(8, 8192).optional(),
      analysis_height: looseInteger(8, 8192).optional(),
    })
    .optional(),
  compressed_stats: z.looseObject({ ...common, window_size: looseInteger(1).optional() }).optional(),
  content_variance: plain,
  hdr_stats: plain,
  scene_change_score: z
    .looseObject({
      ...common,
      thresholds: oneOrMany(looseNumber(0)).optional(),
      cutlist_threshold: looseNumber(0).optional(),
    })
    .optional(),
  pse: z.looseObject({ ...common, standard: z.string().max(64).optional(), report: z.unknown().optional() }).optional(),
  psnr: z.looseObject({ ...common, results_file: resultsFile.optional() }).optional(),
  ssim: z.looseObject({ ...common, results_file: resultsFile.optional() }).optional(),
  vmaf: z.looseObject({ ...common, results_file: resultsFile.optional() }).optional(),
  settings: z
    .looseObject({
      comparative: z
        .looseObject({
          size_selector: z.enum(["compare_asset", "source"]).optional(),
          scaler: z.looseObject({ algorithm: z.enum(scalingAlgorithms).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});
