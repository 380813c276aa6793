import type { Analysis } from "./analysis.ts";
import * as audio from "./audio.ts";
import { type Comparison, psnr, ssim } from "./comparison.ts";
import { emergencyAlert } from "./emergency-alert.ts";
import { hdrStats } from "./hdr.ts";
import * as video from "./video.ts";

/** The payload's schema checks each analysis's settings; a table cannot express which schema belongs to which entry. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyAnalysis = Analysis<any>;

/** Analyses of decoded video, by their names in payloads and results. A new one is a line. */
export const videoAnalyses: Readonly<Record<string, AnyAnalysis>> = {
  black: video.black,
  black_borders: video.blackBorders,
  interlacing: video.interlacing,
  levels: video.levels,
  complexity: video.complexity,
  content_variance: video.contentVariance,
  hdr_stats: hdrStats,
  scene_change_score: video.sceneChangeScore,
  // The last in its chain: blockdetect reads only eight bits, and what follows it would too.
  blockiness: video.blockiness,
  pse: video.flashes,
};

/** Analyses of decoded audio. */
export const audioAnalyses: Readonly<Record<string, AnyAnalysis>> = {
  levels: audio.levels,
  volume: audio.volume,
  silence: audio.silence,
  ebur128: audio.ebur128,
  loudness: audio.loudness,
  dolby_professional_loudness: audio.professionalLoudness,
  emergency_alert: emergencyAlert,
};

/** Comparisons with the picture of `compare_asset`. VMAF is separate, because it logs into a file. */
export const comparisons: Readonly<Record<string, Comparison>> = { psnr, ssim };
