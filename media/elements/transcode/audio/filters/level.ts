import { z } from "zod";
import { looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { defineAudioFilter } from "../../filters/filter.ts";

/** Louder or quieter: by a factor of the amplitude, or by decibels. */
export const level = defineAudioFilter({
  kind: "level",
  payload: z.looseObject({ factor: looseNumber(0, 1000).optional(), level_db: looseNumber(-200, 60).optional() }),
  stage: "converted",
  apply: ({ factor, level_db: decibels }, { path }) => {
    if (factor !== undefined && decibels !== undefined) {
      throw definitionError(`${path} has both factor and level_db`);
    }
    const volume = factor ?? (decibels === undefined ? undefined : `${decibels}dB`);
    return { filters: volume === undefined ? [] : [{ name: "volume", options: { volume, precision: "double" } }] };
  },
});
