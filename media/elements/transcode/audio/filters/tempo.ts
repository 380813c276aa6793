import { z } from "zod";
import { looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { multiply, ratio } from "../../../../../shared/basics/rational.ts";
import type { AudioFacts } from "../../../../../shared/model/asset.ts";
import { tempos } from "../../../../virtual-source/at-speed.ts";
import { defineAudioFilter } from "../../filters/filter.ts";
import { sameLayout } from "./resample.ts";

/** Plays one track faster or slower. Picture and other tracks keep their time: `speed_change` takes them along. */
export const tempo = defineAudioFilter({
  kind: "tempo",
  payload: z.looseObject({
    factor: looseNumber(0.1, 10).default(1),
    pitch_correction: z.boolean().default(true),
  }),
  stage: "converted",
  apply: ({ factor, pitch_correction: keepsPitch }, { sound }) => ({
    filters: keepsPitch
      ? tempos(factor).map((value) => ({ name: "atempo", options: { tempo: value } }))
      : [
          { name: "asetrate", options: { r: Math.round(sound.sampleRate * factor) } },
          { name: "aresample", options: { osr: sound.sampleRate } },
          ...sameLayout(sound),
        ],
    changed: lasting(sound, factor),
  }),
});

/** The length that a sound has at another tempo. */
export const lasting = ({ duration }: AudioFacts, factor: number): Partial<AudioFacts> =>
  duration ? { duration: multiply(duration, ratio(1e9, Math.round(factor * 1e9))) } : {};
