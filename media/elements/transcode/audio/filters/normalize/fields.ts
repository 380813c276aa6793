import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../../../../shared/basics/loose-values.ts";

export const decibels = looseNumber(-200, 200).optional();

/** The track of an earlier analysis that sets the correction, and whether it may be skipped. */
export const measuredFields = {
  analyzer_track_index: looseInteger(0, 1000).optional(),
  is_optional: looseBoolean().optional(),
};

/** Figures that set it instead. */
export const loudnessSource = z
  .looseObject({
    integrated_lufs: decibels,
    loudness_lra_lufs: decibels,
    true_peak_dbfs: decibels,
    threshold_lufs: decibels,
  })
  .optional();
export type LoudnessSource = z.output<typeof loudnessSource>;

/** Programme loudness by the rules of a region; the same fields say how it is measured. */
export const professionalLoudness = z.looseObject({
  ...measuredFields,
  source: loudnessSource,
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
