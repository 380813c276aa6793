import type { MediaFacts } from "../../../../shared/model/asset.ts";
import type { Scope } from "../../../expressions/evaluator.ts";
import { analyzerVariables } from "../../analyzer-variables.ts";
import type { PlanContext } from "../../element.ts";
import { sourceVariables } from "../../source-variables.ts";

/** What expressions of a payload can name, and what `include_if_source_has` looks at. */
export type Known = { readonly scope: Scope; readonly facts: MediaFacts };

/** `source` is the job's source, however many elements back; `facts` are those of the transcoded media. */
export const knownOf = (context: PlanContext<unknown>, facts: MediaFacts): Known => ({
  facts,
  scope: {
    source: sourceVariables(farSource(context) ?? facts),
    analyzer: analyzerVariables(context.analyses ?? []),
  },
});

/** Facts of a job's source, for media that other elements made from it. */
const farSource = ({ inputs, source, factsOf }: PlanContext<unknown>): MediaFacts | undefined => {
  const file = source?.find(({ files }) => files.length > 0)?.files[0];
  if (!file || inputs.some(({ files }) => files.some(({ uri }) => uri === file.uri))) return undefined;
  return file.facts ?? factsOf(file.uri)?.facts;
};
