import { toNumber } from "../../../shared/basics/rational.ts";
import { nameOf } from "../../../shared/files/location.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError, sourceError } from "../../../shared/model/failure.ts";
import type { ResponseVersion } from "../../analyses/analysis.ts";
import { layoutOf } from "../../ffmpeg/layouts.ts";
import { scalerFlag } from "../../ffmpeg/scaler-algorithm.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { buildVirtualSource, narrowed, withFacts } from "../../virtual-source/build-virtual-source.ts";
import { sideBySide } from "../../virtual-source/side-by-side.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { reportsOf } from "../report/recipe.ts";
import { planSource } from "../source/plan.ts";
import { playedManifests } from "../source/played-manifests.ts";
import { createTrimReader } from "../source/read-trim.ts";
import { refuseUnsupported } from "../transcode/conflicts/unsupported-fields.ts";
import { applyPipeline, besideMapped } from "../transcode/timelines/source-pipeline.ts";
import { type Asked, audioBranches, enabledAt, refuseUnknown, videoBranches } from "./branches.ts";
import { comparedBy } from "./compare.ts";
import { requirementsOf } from "./compile.ts";
import { documentsOf } from "./documents.ts";
import { generalProperties } from "./general.ts";
import { histogramsOf } from "./histograms.ts";
import type { AnalyzeRecipe } from "./recipe.ts";
import type { AnalyzePayload } from "./schema.ts";

type Context = PlanContext<AnalyzePayload>;

/** One task does all measurements of the element, in one decode. */
export const planAnalyze = (arrived: Context): Plan<AnalyzeRecipe> => {
  const played = playedManifests(arrived);
  if ("need" in played) return { need: played.need };
  const context = { ...arrived, inputs: played.assets };
  const { uid, inputs } = context;
  if (inputs.length === 0) throw definitionError(`${uid} has nothing to analyze: no element feeds it`);
  const assets = inputs.map((input) => withFacts(input, context.factsOf)).filter(({ files }) => files.length > 0);
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts }) => !facts));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const [first] = assets;
  if (!first) throw definitionError(`${uid} has nothing to analyze: its source has no media`);
  const other = comparedAsset(context);
  if (other && "need" in other) return other;
  const trims = createTrimReader(context.framesOf);
  const source = timelineOf(assets, context, trims);
  if (trims.need.length > 0) return { need: trims.need };
  const detail = recipeOf(context, source, first, other && buildVirtualSource(other.asset, `${uid}.compare_asset`));
  const isDecoding = detail.branches.length > 0 || detail.compared !== undefined;
  const requires = requirementsOf(detail);
  return { tasks: [{ uid, name: uid, requires, weight: isDecoding ? "full" : "light", detail }] };
};

/** The media to compare with, read like a source. */
const comparedAsset = (
  context: Context,
): { asset: Asset } | { need: Extract<Plan<never>, { need: unknown }>["need"] } | undefined => {
  const { payload, uid } = context;
  if (!payload.compare_asset) return undefined;
  const plan = planSource({ ...context, uid: `${uid}.compare_asset`, payload: payload.compare_asset, inputs: [] });
  if ("need" in plan) return plan;
  const [asset] = "assets" in plan ? (plan.assets ?? []) : [];
  if (!asset || (asset.files.length === 0 && !asset.sections))
    throw definitionError(`${uid}.payload.compare_asset has no media`);
  return { asset };
};

const timelineOf = (
  assets: readonly Asset[],
  { uid, payload }: Context,
  trims: ReturnType<typeof createTrimReader>,
) => {
  const path = `${uid}.payload.source_pipeline`;
  refuseUnsupported("source_options", payload.source_pipeline?.options, `${path}.options`);
  refuseUnsupported("source_options", payload.options, `${uid}.payload.options`);
  const pipeline = withOptions(payload);
  const read = applyPipeline(assets, pipeline, path);
  const joined = (parts: readonly Asset[]): VirtualSource =>
    besideMapped(
      parts.map((asset) => buildVirtualSource(asset, uid)),
      pipeline,
      path,
    );
  if (!pipeline?.trim) return joined(read);
  const whole = joined(read);
  const range = trims.read(pipeline.trim, { timeline: whole.facts, picture: whole, what: `${path}.trim` });
  return joined(read.map((asset) => narrowed(asset, range)));
};

/** How the source is read stands in the pipeline, or among the options of the analysis. */
const withOptions = ({ source_pipeline: pipeline, options }: AnalyzePayload) =>
  options ? { ...pipeline, options: { ...options, ...pipeline?.options } } : pipeline;

const recipeOf = (
  context: Context,
  judged: VirtualSource,
  asset: Asset,
  reference: VirtualSource | undefined,
): AnalyzeRecipe => {
  const { payload, uid } = context;
  const deep = payload.deep_properties;
  const version: ResponseVersion = payload.options?.response_version === 2 ? 2 : 1;
  const path = `${uid}.payload.deep_properties`;
  const source = reference ? sideBySide([judged, reference]) : judged;
  const video: Asked = deep?.video ?? {};
  const sounds = [deep?.audio ?? []].flat();
  const notes = [
    ...refuseUnknown(video, "video", `${path}.video`),
    ...sounds.flatMap((asked, at) => refuseUnknown(asked, "audio", `${path}.audio[${at}]`)),
    ...refuseFields(video, `${path}.video`),
  ];
  const picture = source.facts.video.find(({ isCover }) => !isCover);
  const tracks = source.facts.audio.slice(0, judged.facts.audio.length);
  const hasPicture = mainVideo(judged.facts) !== undefined && picture !== undefined;
  if (!hasPicture) refuseMissing(video, "picture", `${path}.video`);
  const { comparedSound, notes: soundNotes = [] } = comparingSound(context, sounds, judged, source);
  const heard = sounds.flatMap((asked, at) => {
    const index = asked.track_selector?.index ?? 0;
    const track = tracks[index];
    const what = tracks.length === 0 ? "audio track" : `audio track ${index}: its tracks are 0 to ${tracks.length - 1}`;
    if (!track) refuseMissing(asked, what, `${path}.audio[${at}]`);
    return track ? audioBranches(asked, track, { at, selected: index, version, duration: judged.timing.duration }) : [];
  });
  const { atomNotes, ...atoms } = atomsOf(context, asset);
  const { packetNotes, ...packets } = hasPicture ? packetsOf(video, judged, `${path}.video`) : { packetNotes: [] };
  const reports = reportsOf(
    [...(payload.report ? [payload.report] : []), ...(payload.reports ?? [])],
    context,
    "success",
  );
  const branches = [...(hasPicture ? videoBranches(video, picture, version) : []), ...heard];
  return {
    source,
    general: payload.general_properties?.enabled ? generalProperties(asset) : undefined,
    ...atoms,
    branches,
    // Nothing is decoded for stills alone.
    ...(hasPicture && branches.length > 0 && stillsFor(reports, picture.index, judged)),
    ...(hasPicture && comparing(context, video, judged, source)),
    ...(comparedSound && { comparedSound }),
    ...packets,
    ...(hasPicture && { histograms: histogramsOf(video, picture, judged) }),
    reports,
    documents: documentsOf(context, video, sounds, asset),
    notes: [...notes, ...soundNotes, ...atomNotes, ...packetNotes, ...idleReports(context)],
  };
};

/** The atoms of the file whose general properties are told, where it is made of atoms. */
const atomsOf = ({ payload, uid }: Context, { files: [file] }: Asset) => {
  const { enabled, mov_atom_descriptor_style: style } = payload.general_properties ?? {};
  if (!enabled || style === undefined || !file) return { atomNotes: [] };
  if (file.facts?.format.startsWith("mov,") && !file.pieces) return { atoms: { uri: file.uri, style }, atomNotes: [] };
  const path = `${uid}.payload.general_properties.mov_atom_descriptor_style`;
  return { atomNotes: [`${path} has no effect: ${nameOf(file.uri)} is no QuickTime or MP4 file`] };
};

const stillCount = 6;

/** Reports on pages show what the picture looks like, from the middle of each sixth of it. */
const stillsFor = (
  reports: AnalyzeRecipe["reports"],
  track: number,
  { timing }: VirtualSource,
): Pick<AnalyzeRecipe, "stills"> => {
  const isDrawn = reports.some(({ output }) => /\.pdf$/i.test(output.name));
  return isDrawn && timing.duration ? { stills: { track, stepSec: toNumber(timing.duration) / stillCount } } : {};
};

/** An analysis that fails has found nothing that could be reported; a qc element judges what was found. */
const idleReports = ({ payload, uid }: Context): string[] =>
  [payload.report ?? [], payload.reports ?? []].flat().some((each) => each.create_condition === "on_failure")
    ? [`${uid}.payload: a report "on_failure" has no effect here: an analysis that fails has found nothing to report`]
    : [];

/** Throws TaskError if an analysis needs a missing stream, unless all such analyses are optional. */
const refuseMissing = (asked: Asked, what: string, path: string): void => {
  const needed = Object.keys(asked).find((name) => enabledAt(asked, name)?.is_optional === false);
  if (needed) throw sourceError(`${path}.${needed}: the source has no ${what}`);
};

/**
 * Settings that would change a measurement and are not supported are refused; settings that only select another method
 * are reported.
 */
const refuseFields = (video: Asked, path: string): string[] => {
  const algorithm = enabledAt(video, "blockiness")?.algorithm;
  const range = enabledAt(video, "black")?.ire_range_mode;
  return [
    ...(algorithm ? [`${path}.blockiness.algorithm "${algorithm}" is measured by blockdetect instead`] : []),
    ...(range && range !== "auto" ? [`${path}.black.ire_range_mode has no effect: the range is the source's`] : []),
  ];
};

const comparing = (
  { payload, uid }: Context,
  asked: Asked,
  { facts }: VirtualSource,
  source: VirtualSource,
): Partial<AnalyzeRecipe> => {
  const [name] = comparedBy(asked);
  if (!name) return {};
  const path = `${uid}.payload.deep_properties.video.${name}`;
  if (!payload.compare_asset) throw definitionError(`${path} needs a compare_asset`);
  const judged = source.facts.video.find(({ isCover }) => !isCover);
  const reference = source.facts.video.slice(facts.video.length).find(({ isCover }) => !isCover);
  if (!judged || !reference) throw sourceError(`${path}: the compare_asset has no picture`);
  const { size_selector: sizeOf = "compare_asset", scaler } =
    payload.deep_properties?.video?.settings?.comparative ?? {};
  const algorithm = scalerFlag(scaler?.algorithm);
  return { compared: { asked, judged, reference, sizeOf, algorithm } };
};

const comparingSound = (
  { payload, uid }: Context,
  sounds: readonly (Asked & { readonly track_selector?: { readonly index?: number | undefined } | undefined })[],
  { facts }: VirtualSource,
  source: VirtualSource,
): Partial<Pick<AnalyzeRecipe, "comparedSound" | "notes">> => {
  const at = sounds.findIndex((asked) => enabledAt(asked, "psnr"));
  if (at === -1) return {};
  const path = `${uid}.payload.deep_properties.audio[${at}].psnr`;
  if (!payload.compare_asset) throw definitionError(`${path} needs a compare_asset`);
  const judged = source.facts.audio[sounds[at]?.track_selector?.index ?? 0];
  const reference = source.facts.audio[facts.audio.length];
  if ((!judged || !reference) && enabledAt(sounds[at] ?? {}, "psnr")?.is_optional === true)
    return { notes: [`${path}: one of the two has no such audio track: left out, because it is optional`] };
  if (!judged || !reference) throw sourceError(`${path}: one of the two has no such audio track`);
  const compared = { at, judged: judged.index, reference: reference.index };
  if (judged.channels === reference.channels) return { comparedSound: compared };
  const layout = layoutOf(judged.channels);
  const channels = `${reference.channels} channels of the reference and the ${judged.channels} of the source`;
  if (layout === undefined) throw sourceError(`${path}: the ${channels} cannot be compared`);
  const note = `${path}: the ${channels} differ: the reference is mixed to ${layout}`;
  return { comparedSound: { ...compared, layout }, notes: [note] };
};

const packetsOf = (
  video: Asked,
  judged: VirtualSource,
  path: string,
): Pick<AnalyzeRecipe, "packets"> & { readonly packetNotes: readonly string[] } => {
  const asked = enabledAt(video, "compressed_stats");
  if (!asked) return { packetNotes: [] };
  const picture = mainVideo(judged.facts);
  const [stream, second] = judged.tracks.find(({ index }) => index === picture?.index)?.streams ?? [];
  if (!stream || second || judged.inputs.length > 1) {
    const message = `${path}.compressed_stats of a source made of several files is not implemented yet`;
    if (asked.is_optional === true) return { packetNotes: [`${message}: left out, because it is optional`] };
    throw capabilityError(message);
  }
  const windowSeconds = typeof asked.window_size === "number" ? asked.window_size : 1;
  return { packets: { stream: `${stream.input}:${stream.stream}`, windowSeconds }, packetNotes: [] };
};
