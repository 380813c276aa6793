import { looseBoolean, looseInteger, looseNumber, openObject } from "../../../../../../shared/basics/loose-values.ts";
import { decibels } from "./fields.ts";
import { defineNormalizing } from "./kind.ts";

const linear = (level: number | undefined) => (level === undefined ? undefined : Math.min(1, 10 ** (level / 20)));
const odd = (frames: number | undefined) => (frames === undefined ? undefined : Math.floor(frames / 2) * 2 + 1);

/** Raises quiet parts and keeps loud ones, moment by moment, in one pass. */
export const dynamic = defineNormalizing({
  kind: "dynamic",
  payload: openObject({
    is_optional: looseBoolean().optional(),
    peak_level_db: decibels,
    rms_level_db: decibels,
    window_size: looseInteger(3, 301).optional(),
    max_gain_factor: looseNumber(1, 100).optional(),
  }),
  apply: ({ peak_level_db, rms_level_db, window_size, max_gain_factor }) => ({
    filters: [
      {
        name: "dynaudnorm",
        options: { p: linear(peak_level_db), r: linear(rms_level_db), g: odd(window_size), m: max_gain_factor },
      },
    ],
  }),
});
