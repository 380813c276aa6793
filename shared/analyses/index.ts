import type { Analysis } from "./analysis.ts";
import * as audio from "./audio.ts";
import { type Comparison, psnr, ssim } from "./comparison.ts";
import { emergencyAlert } from "./emergency-alert.ts";
import * as video from "./video.ts";

/** What each analysis is asked is checked by the payload's schema; a table cannot say which belongs to which. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyAnalysis = Analysis<any>;

/** Analyses of a decoded picture, by the names that payloads and results use. A new one is a line. */
export const videoAnalyses: Readonly<Record<string, AnyAnalysis>> = {
  black: video.black,
  black_borders: video.blackBorders,
  interlacing: video.interlacing,
  levels: video.levels,
  blockiness: video.blockiness,
  complexity: video.complexity,
  content_variance: video.contentVariance,
  hdr_stats: video.hdrStats,
  scene_change_score: video.sceneChangeScore,
  pse: video.flashes,
};

/** Analyses of decoded sound. */
export const audioAnalyses: Readonly<Record<string, AnyAnalysis>> = {
  levels: audio.levels,
  volume: audio.volume,
  silence: audio.silence,
  ebur128: audio.ebur128,
  loudness: audio.loudness,
  dolby_professional_loudness: audio.professionalLoudness,
  emergency_alert: emergencyAlert,
};

/** Comparisons with the picture of `compare_asset`. VMAF, which logs into a file, stands apart. */
export const comparisons: Readonly<Record<string, Comparison>> = { psnr, ssim };
