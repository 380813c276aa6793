import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../../../loose.ts";

export const decibels = looseNumber(-200, 200).optional();

/** The track of an earlier analysis, or the figures, that set the correction; and whether it may be skipped. */
export const measuredFields = {
  source: z.looseObject({}).optional(),
  analyzer_track_index: looseInteger(0, 1000).optional(),
  is_optional: looseBoolean().optional(),
};

export const loudnessSource = z.looseObject({
  integrated_lufs: decibels,
  loudness_lra_lufs: decibels,
  true_peak_dbfs: decibels,
  threshold_lufs: decibels,
});

export const levelSource = z.looseObject({ peak_level_db: decibels, rms_level_db: decibels });

/** Programme loudness by the rules of a region; the same fields say how it is measured. */
export const professionalLoudness = z.looseObject({
  ...measuredFields,
  correction_mode: z.enum(["pcm_normalization", "metadata_update"]).optional(),
  use_dialogue_intelligence: looseBoolean().optional(),
  regulation_type: z
    .enum(["atsc_a85_fixed", "atsc_a85_agile", "ebu_r128", "freetv_op59", "arib_tr_b32", "manual"])
    .default("atsc_a85_fixed"),
  loudness_target: looseNumber(-31, -8).optional(),
  speech_detection_threshold: looseNumber(0, 100).optional(),
  limit_mode: z.enum(["true_peak", "sample_peak"]).optional(),
  peak_limit_db: looseNumber(-12, -0.1).optional(),
  metering_mode: z.string().max(64).optional(),
});
