import { definitionError } from "../../../shared/model/failure.ts";
import { withFacts } from "../../virtual-source/build-virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { playedManifests } from "../source/played-manifests.ts";
import { createTrimReader } from "../source/read-trim.ts";
import { withChannelsInOrder } from "./audio/channels-in-order.ts";
import { refuseUnsupported } from "./conflicts/unsupported-fields.ts";
import { planTasks } from "./division/index.ts";
import { createExtras } from "./filters/extras.ts";
import { planManifests } from "./manifests/plan.ts";
import { onStreamClock } from "./manifests/stream-clock.ts";
import { withoutOtherManifests } from "./manifests/without-other-manifests.ts";
import { extrasIn, type Recipe } from "./recipe.ts";
import { resolvePayload } from "./resolve/payload.ts";
import type { TranscodePayload } from "./schema.ts";
import { searchSplices } from "./splices.ts";
import { planTimelines } from "./timelines/plan-timelines.ts";
import { applyPipeline } from "./timelines/source-pipeline.ts";
import { withTextsAside, withTextTracks } from "./timelines/text-sources.ts";
import { buildTimeline, trimmed } from "./timelines/timeline.ts";

/** All targets are made of one timeline. Several assets that feed the element play side by side. */
export const planTranscode = (arrived: PlanContext<TranscodePayload>): Plan<Recipe> => {
  const { payload: named, warnings: unnamed } = withoutOtherManifests(arrived);
  const played = playedManifests(arrived);
  if ("need" in played) return { need: played.need };
  const context = { ...arrived, payload: named, inputs: played.assets.map(withTextsAside) };
  const { uid, payload, inputs } = context;
  refusePayload(payload, `${uid}.payload`);
  if (inputs.length === 0) throw definitionError(`${uid} has nothing to transcode: no element feeds it`);
  // Assets with only sidecars have no picture or sound for targets; targets may be made of the sidecars alone.
  const assets = inputs
    .map((input) => withFacts(input, context.factsOf))
    .filter(({ files, sections }) => sections ?? files.length > 0);
  const sidecars = inputs.flatMap((input) => input.sidecars ?? []);
  if (assets.length === 0 && !sidecars.some(({ kind }) => kind !== "metadata"))
    throw definitionError(`${uid} has nothing to transcode: its source has no media`);
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts }) => !facts));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const trims = createTrimReader(context.framesOf);
  const extras = createExtras(context);
  const read = applyPipeline(assets, payload.source_pipeline, `${uid}.payload.source_pipeline`);
  const { facts } = buildTimeline(read, { context: withoutFilters(context), trims, extras });
  const resolved = resolvePayload(context, withTextTracks(facts, sidecars));
  const isFilled = read.some(({ reading }) => reading?.silence);
  const targets = resolved.targets.map((each) => (isFilled ? each : withChannelsInOrder(each, facts.audio)));
  const opening = { context: resolved.context, trims, extras };
  const warnings = [...unnamed, ...resolved.warnings];
  const cut = trimmed(read, payload.source_pipeline?.trim, "source_pipeline", opening);
  if (trims.need.length > 0) return { need: trims.need };
  const searches = searchSplices(context, targets, cut);
  if (searches.length > 0) return { stage: "splices", tasks: searches };
  const timelines = onStreamClock(planTimelines(cut, targets, opening));
  const need = [...trims.need, ...extras.need];
  if (need.length > 0) return { need };
  if (timelines.length === 0) return { tasks: [], warnings };
  const manifests = planManifests(context, timelines);
  const recipe = { timelines, ...extrasIn(extras), ...(manifests.recipe && { manifests: manifests.recipe }) };
  return planTasks(context, recipe, [...warnings, ...extras.warnings, ...manifests.warnings]);
};

/** The source without any filters decides about filters. */
const withoutFilters = (context: PlanContext<TranscodePayload>): PlanContext<TranscodePayload> => ({
  ...context,
  payload: { ...context.payload, source_pipeline: { ...context.payload.source_pipeline, filters: undefined } },
});

const refusePayload = (payload: TranscodePayload, path: string): void => {
  refuseUnsupported("payload", payload, path);
  refuseUnsupported("options", payload.options, `${path}.options`);
  refuseUnsupported("source_pipeline", payload.source_pipeline, `${path}.source_pipeline`);
  refuseUnsupported("source_options", payload.source_pipeline?.options, `${path}.source_pipeline.options`);
};
