import { TaskError } from "../../causes.ts";
import { withFacts } from "../../virtual-source/of-asset.ts";
import type { Plan, PlanContext } from "../element.ts";
import { playedManifests } from "../played-manifests.ts";
import { createTrimReader } from "../source/read-trim.ts";
import { withChannelsInOrder } from "./audio/channels-in-order.ts";
import { planTasks } from "./division/index.ts";
import { createExtras, type ExtrasBook } from "./filters/extras.ts";
import { withoutOtherManifests } from "./manifests/others.ts";
import { planManifests } from "./manifests/plan.ts";
import { refuseNotYet } from "./not-yet.ts";
import { planTimelines } from "./plan-timelines.ts";
import type { Recipe } from "./recipe.ts";
import { resolvePayload } from "./resolve/payload.ts";
import type { TranscodePayload } from "./schema.ts";
import { throughPipeline } from "./source-pipeline.ts";
import { searchSplices } from "./splices.ts";
import { withTextsAside, withTextTracks } from "./text-sources.ts";
import { objectAt, timelineOf, trimmed } from "./timeline.ts";

/** All targets are made of one timeline. Several assets that feed the element play side by side. */
export const planTranscode = (arrived: PlanContext<TranscodePayload>): Plan<Recipe> => {
  const { payload: named, warnings: unnamed } = withoutOtherManifests(arrived);
  const played = playedManifests(arrived);
  if ("need" in played) return { need: played.need };
  const context = { ...arrived, payload: named, inputs: played.assets.map(withTextsAside) };
  const { uid, payload, inputs } = context;
  refusePayload(payload, `${uid}.payload`);
  if (inputs.length === 0) throw new TaskError("definition", `${uid} has nothing to transcode: no element feeds it`);
  // Assets with only sidecars have no picture or sound for targets; targets may be made of the sidecars alone.
  const assets = inputs
    .map((input) => withFacts(input, context.factsOf))
    .filter(({ files, sections }) => sections ?? files.length > 0);
  const sidecars = inputs.flatMap((input) => input.sidecars ?? []);
  if (assets.length === 0 && !sidecars.some(({ kind }) => kind !== "metadata"))
    throw new TaskError("definition", `${uid} has nothing to transcode: its source has no media`);
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts }) => !facts));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const pipeline = objectAt(payload, "source_pipeline");
  const trims = createTrimReader(context.framesOf);
  const extras = createExtras(context);
  const read = throughPipeline(assets, payload.source_pipeline, `${uid}.payload.source_pipeline`);
  const { facts } = timelineOf(read, { context: withoutFilters(context), trims, extras });
  const resolved = resolvePayload(context, withTextTracks(facts, sidecars));
  const isFilled = read.some(({ reading }) => reading?.silence);
  const targets = resolved.targets.map((each) => (isFilled ? each : withChannelsInOrder(each, facts.audio)));
  const opening = { context: resolved.context, trims, extras };
  const warnings = [...unnamed, ...resolved.warnings];
  const cut = trimmed(read, pipeline, "source_pipeline", opening);
  if (trims.need.length > 0) return { need: trims.need };
  const searches = searchSplices(context, targets, cut);
  if (searches.length > 0) return { stage: "splices", tasks: searches };
  const timelines = planTimelines(cut, targets, opening);
  const need = [...trims.need, ...extras.need];
  if (need.length > 0) return { need };
  if (timelines.length === 0) return { tasks: [], warnings };
  const manifests = planManifests(context, timelines);
  const recipe = { timelines, ...extrasOf(extras), ...(manifests.recipe && { manifests: manifests.recipe }) };
  return planTasks(context, recipe, [...warnings, ...extras.warnings, ...manifests.warnings]);
};

/** The source without any filters decides about filters. */
const withoutFilters = (context: PlanContext<TranscodePayload>): PlanContext<TranscodePayload> => ({
  ...context,
  payload: { ...context.payload, source_pipeline: { ...context.payload.source_pipeline, filters: undefined } },
});

const extrasOf = ({ staged, subtitles, captions, measures }: ExtrasBook): Omit<Recipe, "timelines" | "manifests"> => ({
  ...(subtitles.length > 0 && { subtitles }),
  ...(captions.length > 0 && { captions }),
  ...(staged.length > 0 && { staged }),
  ...(measures.length > 0 && { measures }),
});

const refusePayload = (payload: TranscodePayload, path: string): void => {
  refuseNotYet("payload", payload, path);
  refuseNotYet("options", objectAt(payload, "options"), `${path}.options`);
  const pipeline = objectAt(payload, "source_pipeline");
  refuseNotYet("source_pipeline", pipeline, `${path}.source_pipeline`);
  refuseNotYet("source_options", objectAt(pipeline, "options"), `${path}.source_pipeline.options`);
};
