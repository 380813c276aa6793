import type { JsonObject } from "./analyses/analysis.ts";
import type { ElementResults } from "./elements/element.ts";
import { mergeParts } from "./results/analysis.ts";
import { readResult } from "./results/index.ts";

/**
 * What `analyzer` stands for in expressions: everything that the elements before found out, as `general_properties` and
 * `deep_properties`. Where two of them measured the same, the nearest counts.
 */
export const analyzerVariables = (analyses: readonly ElementResults[]): JsonObject => {
  const parts = [...analyses].reverse().flatMap(({ results }) =>
    Object.values(results).flatMap((result) => {
      const found = readResult("analysis", result);
      return found ? [JSON.parse(JSON.stringify(found)) as JsonObject] : []; // its schema lets nothing else through
    }),
  );
  return mergeParts(parts);
};
