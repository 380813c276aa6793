import type { z } from "zod";
import { definitionError } from "../../../../../../shared/model/failure.ts";
import { regulations } from "../../../../../analyses/regulations.ts";
import { notImplemented } from "../../../conflicts/unsupported-fields.ts";
import type { AudioPlace } from "../../../filters/filter.ts";
import { professionalLoudness } from "./fields.ts";
import { defineNormalizing } from "./kind.ts";
import { byMeasuring, type LoudnessTarget } from "./loudness.ts";

type Payload = z.output<typeof professionalLoudness>;

/** By the rules of a region, measured with gates by level (ITU-R BS.1770-4): gates by dialogue need a licensed meter. */
export const professional = defineNormalizing({
  kind: "dolby_professional_loudness",
  payload: professionalLoudness,
  apply: (wanted, place) => {
    const { path, extras } = place;
    if (wanted.correction_mode === "metadata_update") notImplemented(`${path}.correction_mode`, "metadata_update");
    if (wanted.use_dialogue_intelligence) {
      extras.warn(`${path}.use_dialogue_intelligence has no effect: loudness is gated by level, not by dialogue`);
    }
    return byMeasuring(targetOf(wanted, place), wanted, place);
  },
});

const targetOf = (wanted: Payload, { path }: AudioPlace): LoudnessTarget => {
  const { regulation_type: type, loudness_target, peak_limit_db } = wanted;
  const rule = type === "manual" ? undefined : regulations[type];
  const integrated = loudness_target ?? rule?.target;
  if (integrated === undefined) throw definitionError(`${path} is manual and has no loudness_target`);
  const truePeak = peak_limit_db ?? rule?.peak ?? -2;
  return { integrated, truePeak };
};
