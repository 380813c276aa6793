import { z } from "zod";
import { looseInteger } from "../../../../../shared/basics/loose-values.ts";
import type { AudioFacts } from "../../../../../shared/model/asset.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { channelsIn, layoutNamed } from "../../../../ffmpeg/layouts.ts";
import { defineAudioFilter } from "../../filters/filter.ts";

/** Taps of the resampler's filter and the part of the band that is kept, by how much a job wants of it. */
const qualities = { low: { filter_size: 16 }, medium: { filter_size: 32 }, high: { filter_size: 64, cutoff: 0.98 } };

/** Another number of samples a second. */
export const resample = defineAudioFilter({
  kind: "resample",
  payload: z.looseObject({
    sample_rate: looseInteger(4_000, 384_000),
    quality: z.enum(["low", "medium", "high"]).default("medium"),
  }),
  stage: "normalized",
  reshapes: ({ sample_rate: sampleRate }) => ({ sampleRate }),
  apply: ({ sample_rate: sampleRate, quality }, { sound }) => ({
    filters: [
      { name: "aresample", options: { out_sample_rate: sampleRate, ...qualities[quality] } },
      // Left free, the resampler takes whatever layout the encoder prefers.
      ...sameLayout(sound),
    ],
    changed: { sampleRate },
  }),
});

/** Keeps the channels that a sound has, where they have names. */
export const sameLayout = (sound: AudioFacts): Filter[] => {
  const names = channelsIn(sound);
  if (names.some((name) => name.startsWith("?"))) return [];
  return [{ name: "aformat", options: { channel_layouts: layoutNamed(names) } }];
};
