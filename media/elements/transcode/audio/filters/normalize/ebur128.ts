import { z } from "zod";
import { looseBoolean } from "../../../../../../shared/basics/loose-values.ts";
import { decibels, loudnessSource, measuredFields } from "./fields.ts";
import { defineNormalizing } from "./kind.ts";
import { byMeasuring, inOnePass } from "./loudness.ts";

/** The programme loudness of EBU R 128, and its limit for true peaks. */
const usual = { integrated: -23, truePeak: -1 };

/** Loudness by EBU R 128. A first pass measures it, for an exact result, unless an imprecise single pass is allowed. */
export const ebur128 = defineNormalizing({
  kind: "ebur128",
  payload: z.looseObject({
    ...measuredFields,
    source: loudnessSource,
    integrated_lufs: decibels,
    loudness_lra_lufs: decibels,
    true_peak_dbfs: decibels,
    allow_unprecise_mode: looseBoolean().optional(),
  }),
  apply: (wanted, place) => {
    const target = {
      integrated: wanted.integrated_lufs ?? usual.integrated,
      range: wanted.loudness_lra_lufs,
      truePeak: wanted.true_peak_dbfs ?? usual.truePeak,
    };
    return wanted.allow_unprecise_mode ? inOnePass(target, place) : byMeasuring(target, wanted, place);
  },
});
