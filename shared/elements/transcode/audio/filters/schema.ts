import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, openObject } from "../../../../loose.ts";
import { fade, filter, filterList } from "../../filter-schema.ts";

const level = z.looseObject({ factor: looseNumber(0).optional(), level_db: looseNumber().optional() });

/** Which track of an earlier analysis the correction is made by, and whether a source without sound is well. */
const measured = {
  source: z.looseObject({}).optional(),
  analyzer_track_index: looseInteger(0, 1000).optional(),
  is_optional: looseBoolean().optional(),
};
const decibels = looseNumber(-200, 200).optional();

const ebur128 = z.looseObject({
  ...measured,
  integrated_lufs: decibels,
  loudness_lra_lufs: decibels,
  true_peak_dbfs: decibels,
  allow_unprecise_mode: looseBoolean().optional(),
});
const peak = z.looseObject({ ...measured, peak_level_db: decibels });
const rms = z.looseObject({ ...measured, rms_level_db: decibels });
const dynamic = openObject({ is_optional: looseBoolean().optional(), peak_level_db: decibels, rms_level_db: decibels });

/** Programme loudness by the rules of a region; the same fields say how it is measured. */
export const professionalLoudness = z.looseObject({
  ...measured,
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

const usually = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? { kind: "ebur128", payload: {}, ...value } : value;

const normalize = z.preprocess(
  usually,
  z.discriminatedUnion("kind", [
    z.looseObject({ kind: z.literal("ebur128"), payload: ebur128 }),
    z.looseObject({ kind: z.literal("peak"), payload: peak }),
    z.looseObject({ kind: z.literal("rms"), payload: rms }),
    z.looseObject({ kind: z.literal("dynamic"), payload: dynamic }),
    z.looseObject({ kind: z.literal("dolby_professional_loudness"), payload: professionalLoudness }),
  ]),
);

/** Every filter that sound can be sent through. */
export const audioFilters = filterList(
  "extenc",
  z.discriminatedUnion("kind", [
    filter("fade", fade),
    filter("level", level),
    filter("normalize", normalize),
    filter("mixdown", z.looseObject({})),
    filter("resample", z.looseObject({})),
    filter("tempo", z.looseObject({})),
    filter("extenc", z.looseObject({ extenc_filter: z.string().max(4000).optional() })),
  ]),
);
