import type { JsonObject } from "../analyses/analysis.ts";
import { mergeParts } from "../results/analysis.ts";
import { readResult } from "../results/index.ts";
import type { ElementResults } from "./element.ts";

/**
 * The value of `analyzer` in expressions: all findings of earlier elements, as `general_properties` and
 * `deep_properties`. If two of them measured the same, the nearest counts.
 */
export const analyzerVariables = (analyses: readonly ElementResults[]): JsonObject => {
  const parts = [...analyses].reverse().flatMap(({ results }) =>
    Object.values(results).flatMap((result) => {
      const found = readResult("analysis", result);
      return found ? [JSON.parse(JSON.stringify(found)) as JsonObject] : []; // its schema allows nothing else
    }),
  );
  return mergeParts(parts);
};
