import type { Asset } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { folderUri } from "../../location.ts";
import { objectOptionsOf } from "../../object-options.ts";
import { toNumber } from "../../rational.ts";
import { atSpeed } from "../../virtual-source/at-speed.ts";
import { withFacts } from "../../virtual-source/of-asset.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { mainVideo } from "../../virtual-source/zero.ts";
import type { Plan, PlanContext } from "../element.ts";
import { createTrimReader, listingOf } from "../source/read-trim.ts";
import { withoutConflicts } from "./conflicts.ts";
import { withFades } from "./containers/filters/fades.ts";
import { speedOf } from "./containers/filters/speed.ts";
import { demandOf } from "./demand.ts";
import { createExtras, type ExtrasBook } from "./filters/extras.ts";
import { refuseNotYet } from "./not-yet.ts";
import type { Recipe, TargetRecipe, Timeline } from "./recipe.ts";
import { requirementsOf } from "./requirements.ts";
import { resolvePayload } from "./resolve/payload.ts";
import type { Target, TranscodePayload } from "./schema.ts";
import { fileTargets } from "./single-streams.ts";
import { throughPipeline } from "./source-pipeline.ts";
import { planTarget } from "./target.ts";
import { type Opening, objectAt, type Targets, timelineOf, timelineWithAudio, trimmed } from "./timeline.ts";
import { isAlwaysIntra } from "./video/copy.ts";

/** Scripts may ask that a transcode is split; what it makes is the same in one piece. */
const unsplit = ({ uid, modifications = [] }: PlanContext<unknown>): string[] =>
  modifications.map(({ kind }) => `${uid}: ${kind} has no effect in this version: the transcode is made in one piece`);

/** One task makes all targets in one decode. Several assets that feed it play side by side. */
export const planTranscode = (context: PlanContext<TranscodePayload>): Plan<Recipe> => {
  const { uid, payload, inputs } = context;
  refusePayload(payload, `${uid}.payload`);
  if (inputs.length === 0) throw new TaskError("definition", `${uid} has nothing to transcode: no element feeds it`);
  // What has only sidecars is heard and seen by none of the targets.
  const assets = inputs
    .map((input) => withFacts(input, context.factsOf))
    .filter(({ files, sections }) => sections ?? files.length > 0);
  if (assets.length === 0)
    throw new TaskError("definition", `${uid} has nothing to transcode: its source has no media`);
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts }) => !facts));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const pipeline = objectAt(payload, "source_pipeline");
  const trims = createTrimReader(context.framesOf);
  const extras = createExtras(context);
  const read = throughPipeline(assets, payload.source_pipeline, `${uid}.payload.source_pipeline`);
  const { targets, ...resolved } = resolvePayload(
    context,
    timelineOf(read, { context: withoutFilters(context), trims, extras }).facts,
  );
  const opening = { context: resolved.context, trims, extras };
  const warnings = [...unsplit(context), ...resolved.warnings];
  const cut = trimmed(read, pipeline, "source_pipeline", opening);
  if (trims.need.length > 0) return { need: trims.need };
  const timelines = planTimelines(cut, targets, opening);
  const need = [...trims.need, ...extras.need];
  if (need.length > 0) return { need };
  if (timelines.length === 0) return { tasks: [], warnings };
  const recipe = { timelines, ...extrasOf(extras) };
  return {
    warnings: [...warnings, ...extras.warnings],
    tasks: [
      {
        uid,
        name: uid,
        requires: requirementsOf(recipe),
        weight: "full",
        demand: demandOf(timelines),
        detail: recipe,
      },
    ],
  };
};

/** Filters are decided by the source as it is without them. */
const withoutFilters = (context: PlanContext<TranscodePayload>): PlanContext<TranscodePayload> => ({
  ...context,
  payload: { ...context.payload, source_pipeline: { ...context.payload.source_pipeline, filters: undefined } },
});

const extrasOf = ({ staged, subtitles, measures }: ExtrasBook): Omit<Recipe, "timelines"> => ({
  ...(subtitles.length > 0 && { subtitles }),
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

type Planned = { readonly range: string; readonly target: TargetRecipe; readonly source: VirtualSource };

const planTimelines = (assets: readonly Asset[], targets: Targets, opening: Opening): Timeline[] => {
  const { uid } = opening.context;
  const planned = targets.flatMap((_target, index) => planOne(assets, targets, index, opening));
  checkDifferent(
    planned.map(({ target }) => target),
    uid,
  );
  const ranges = [...new Set(planned.map(({ range }) => range))];
  return ranges.flatMap((range) => {
    const alike = planned.filter((each) => each.range === range);
    return alike[0] ? [{ source: alike[0].source, targets: alike.map(({ target }) => target) }] : [];
  });
};

const planOne = (whole: readonly Asset[], targets: Targets, index: number, opening: Opening): Planned[] => {
  const { uid, payload, job } = opening.context;
  const written = targets[index];
  if (!written) return [];
  const wanted = withoutConflicts(written);
  const assets = trimmed(whole, wanted, `targets[${index}]`, opening);
  const path = `${uid}.payload.targets[${index}]`;
  const speed = speedOf(wanted, path);
  const ownSpeed = timelineWithAudio(assets, targets, opening);
  const source = speed ? atSpeed(ownSpeed, speed) : ownSpeed;
  const isIntra = isCutAnywhere(source, wanted, opening);
  if (isIntra === undefined) return [];
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const object = objectOptionsOf(payload.location, `${uid}.payload.location`);
  const uri = assets[0]?.files[0]?.uri ?? "";
  const requested = { ...withFades(withPipeline(wanted, payload)), uid: wanted.uid ?? `target_${index}` };
  const recipes = fileTargets(requested).map((file) =>
    planTarget({
      source,
      isIntra,
      uri,
      target: file,
      parent,
      object,
      jobId: job.id,
      path,
      extras: opening.extras.of(source, startOf(assets)),
    }),
  );
  const range = JSON.stringify([speed, ...assets.map((asset) => asset.range)]);
  return recipes.map((recipe) => ({ range, target: recipe, source }));
};

const startOf = ([asset]: readonly Asset[]): number => (asset?.range ? toNumber(asset.range.from) : 0);

/** Whether a copy may begin and end at any picture; undefined where the source's frames must be listed to tell. */
const isCutAnywhere = (source: VirtualSource, { video: options }: Target, { context, trims }: Opening) => {
  const video = mainVideo(source.facts);
  if (!options?.enabled || options.codec !== "copy" || source.timing.isWhole || !video) return false;
  if (isAlwaysIntra(video.codec)) return true;
  const request = listingOf(source, []);
  if (!request) return false;
  const { frames, groups } = context.framesOf?.(request.uri, request.question) ?? {};
  if (frames === undefined || !groups) return void trims.need.push(request);
  return groups.longest === 1;
};

/** How pictures are scaled where the target does not say. */
const withPipeline = (target: Target, { source_pipeline: pipeline }: TranscodePayload): Target => {
  const dither = pipeline?.chroma_dither_algorithm;
  if (!target.video || (!pipeline?.scaler && !dither)) return target;
  const scaler = target.video.scaler ?? pipeline.scaler ?? { kind: "default" as const };
  return { ...target, video: { ...target.video, scaler: { ...scaler, ...(dither && { dither }) } } };
};

const checkDifferent = (targets: readonly TargetRecipe[], uid: string): void => {
  const uids = repeated(targets.map((target) => target.uid));
  if (uids) throw new TaskError("definition", `${uid} has two targets with the uid "${uids}"`);
  const names = repeated(targets.map(({ folder, name }) => `${folder.replace(/\/+$/, "")}/${name}`));
  if (names) throw new TaskError("definition", `${uid} has two targets that write ${names}`);
};

const repeated = (texts: readonly string[]) => texts.find((text, index) => texts.indexOf(text) !== index);
