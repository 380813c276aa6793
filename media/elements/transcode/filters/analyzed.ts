import { z } from "zod";
import { optionalObject } from "../../../../shared/basics/loose-values.ts";
import { analyzerVariables } from "../../analyzer-variables.ts";
import type { ElementResults } from "../../element.ts";

const pixels = z.number().nonnegative();
const figure = z.number().optional().catch(undefined);

const loudness = optionalObject({ integrated_lufs: figure, loudness_lra_lufs: figure, true_peak_dbfs: figure }).catch(
  undefined,
);
export type LoudnessFigures = NonNullable<z.output<typeof loudness>>;

const sound = z.looseObject({
  levels: optionalObject({ peak_level_db: figure, rms_level_db: figure }).catch(undefined),
  ebur128: loudness,
  loudness,
  dolby_professional_loudness: loudness,
});

/** The findings of analyses that filters use. */
const analyzed = z.looseObject({
  video: optionalObject({
    black_borders: optionalObject({ left: pixels, right: pixels, top: pixels, bottom: pixels }).catch(undefined),
  }).catch(undefined),
  audio: z.array(sound.nullable().catch(null)).default([]).catch([]),
});
export type Analyzed = z.output<typeof analyzed>;

export const analyzedBefore = (analyses: readonly ElementResults[]): Analyzed =>
  analyzed.parse(analyzerVariables(analyses).deep_properties ?? {});
