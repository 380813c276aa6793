import type { MediaFacts } from "../../../../shared/model/asset.ts";
import type { PlanContext } from "../../element.ts";
import { sourcePipeline } from "../pipeline-schema.ts";
import { type TranscodePayload, target } from "../schema.ts";
import type { Targets } from "../timelines/timeline.ts";
import { resolve } from "./resolve.ts";
import { knownOf } from "./scope.ts";

type Resolved = {
  /** The same with the pipeline decided by the source. */
  readonly context: PlanContext<TranscodePayload>;
  readonly targets: Targets;
  readonly warnings: readonly string[];
};

/** A payload with everything decided that depends on its source: `facts` are those of the transcoded media. */
export const resolvePayload = (context: PlanContext<TranscodePayload>, facts: MediaFacts): Resolved => {
  const { payload, uid } = context;
  const known = knownOf(context, facts);
  const targets = payload.targets.map((each, index) =>
    resolve(target, each, known, `${uid}.payload.targets[${index}]`),
  );
  const pipeline =
    payload.source_pipeline &&
    resolve(sourcePipeline, payload.source_pipeline, known, `${uid}.payload.source_pipeline`);
  return {
    context: { ...context, payload: { ...payload, source_pipeline: pipeline?.part } },
    targets: targets.map(({ part }) => part),
    warnings: [...(pipeline?.warnings ?? []), ...targets.flatMap(({ warnings }) => warnings)],
  };
};
