import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../loose.ts";
import { professionalLoudness } from "../transcode/audio/filters/normalize/fields.ts";
import { resultsFile } from "./report-schema.ts";

/** Fields of every analysis. */
const common = { enabled: looseBoolean().default(true), is_optional: looseBoolean().default(false) };
const plain = z.looseObject(common).optional();

/** Measurements of one track; by default the first. */
export const audioAnalyses = z.looseObject({
  track_selector: z.looseObject({ index: looseInteger(0, 1000).optional() }).optional(),
  levels: plain,
  volume: plain,
  silence: z
    .looseObject({
      ...common,
      duration_sec: looseNumber(1, 3600).default(10),
      noise_db: looseNumber(-90, 0).default(-60),
    })
    .optional(),
  ebur128: z
    .looseObject({
      ...common,
      scale_meter: looseInteger(9, 18).default(9),
      target_reference: z
        .looseObject({
          integrated_lufs: looseNumber().optional(),
          loudness_lra_lufs: looseNumber().optional(),
          true_peak_dbfs: looseNumber().optional(),
        })
        .optional(),
    })
    .optional(),
  loudness: z
    .looseObject({
      ...common,
      results_file: resultsFile.optional(),
      preset: z
        .enum(["atsc_a85_fixed", "atsc_a85_agile", "ebu_r128", "freetv_op59", "arib_tr_b32"])
        .default("ebu_r128"),
    })
    .optional(),
  dolby_professional_loudness: professionalLoudness.extend(common).optional(),
  psnr: plain,
  emergency_alert: plain,
  dolby_atmos: plain,
});
