import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, optionalObject } from "../../../shared/basics/loose-values.ts";
import { resultsFile } from "../report/schema.ts";
import { professionalLoudness } from "../transcode/audio/filters/normalize/fields.ts";

/** Fields of every analysis. */
const common = { enabled: looseBoolean().default(true), is_optional: looseBoolean().default(false) };
const plain = optionalObject(common);

/** Measurements of one track; by default the first. */
export const audioAnalyses = z.looseObject({
  track_selector: optionalObject({ index: looseInteger(0, 1000).optional() }),
  levels: plain,
  volume: plain,
  silence: optionalObject({
    ...common,
    duration_sec: looseNumber(1, 3600).default(10),
    noise_db: looseNumber(-90, 0).default(-60),
  }),
  ebur128: optionalObject({
    ...common,
    scale_meter: looseInteger(9, 18).default(9),
    target_reference: optionalObject({
      integrated_lufs: looseNumber().optional(),
      loudness_lra_lufs: looseNumber().optional(),
      true_peak_dbfs: looseNumber().optional(),
    }),
  }),
  loudness: optionalObject({
    ...common,
    results_file: resultsFile.optional(),
    preset: z.enum(["atsc_a85_fixed", "atsc_a85_agile", "ebu_r128", "freetv_op59", "arib_tr_b32"]).default("ebu_r128"),
  }),
  dolby_professional_loudness: professionalLoudness.extend(common).optional(),
  psnr: plain,
  emergency_alert: plain,
  dolby_atmos: plain,
});
