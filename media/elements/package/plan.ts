import { nameOf } from "../../../shared/files/location.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Protection } from "../../encryption/protection.ts";
import { languageOf } from "../../formats/language.ts";
import { saidInDash } from "../../packaging/dash-names.ts";
import { withFacts } from "../../virtual-source/build-virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { wholeFiles } from "../whole-file.ts";
import { fragmentSteps } from "./fragments.ts";
import { kindsOf, shapeOf } from "./modes.ts";
import { createNaming, withoutNumber } from "./names.ts";
import { originalSteps } from "./originals.ts";
import { buildOutputs } from "./outputs.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { buildPlaceStep } from "./place-step.ts";
import { planPlaces } from "./plan-places.ts";
import { createProtection } from "./protection.ts";
import type { PackageRecipe } from "./recipe.ts";
import { buildRenditions, isText } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";
import { withSmooth } from "./smooth.ts";
import { transportSteps } from "./transport.ts";
import { packageWarnings } from "./warnings.ts";

/** One task makes the segments of all inputs, and their manifests. */
export const planPackage = (arrived: PlanContext<PackagePayload>): Plan<PackageRecipe> => {
  const context = { ...arrived, inputs: arrived.inputs.map(withoutTextPlaylist).flatMap(withTexts) };
  const { uid, inputs } = context;
  if (inputs.length === 0) throw definitionError(`${uid} has nothing to package: no element feeds it`);
  refuseInputs(context, arrived);
  const assets = inputs.map((asset) => withFacts(asset, context.factsOf));
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts, uri }) => !facts && !isText(uri)));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const detail = recipeOf(context, assets);
  return { tasks: [{ uid, name: uid, requires: detail.requires, weight: "light", detail }] };
};

/** Throws TaskError `definition` for files that no rendition is made of, saying what to use. */
const refuseInputs = (
  { uid, inputs }: PlanContext<PackagePayload>,
  { inputs: arrived }: Pick<PlanContext<PackagePayload>, "inputs">,
): void => {
  const list = inputs.flatMap(({ files }) => files).find(({ uri, pieces }) => !pieces && isManifest(uri));
  if (list)
    throw definitionError(
      `${uid} cannot package ${nameOf(list.uri)}, which is a manifest: give its target the container mp4, or webvtt for subtitles`,
    );
  const text = arrived
    .flatMap(({ sidecars = [] }) => sidecars)
    .find(({ kind, uri }) => kind === "subtitle" && !isText(uri));
  if (text)
    throw definitionError(
      `${uid} cannot package ${nameOf(text.uri)}: make WebVTT of it with a transcode first (container.kind webvtt)`,
    );
};

const isManifest = (uri: string): boolean => /\.(m3u8|mpd)$/i.test(nameOf(uri));

/** Texts in segments without their playlist: the package cuts them anew. */
const withoutTextPlaylist = (asset: Asset): Asset => {
  const texts = asset.files.filter(({ uri }) => isText(uri));
  const isPlaylist = texts.length > 0 && asset.files.every(({ uri }) => isText(uri) || isManifest(uri));
  return isPlaylist ? { ...asset, files: texts } : asset;
};

/** Subtitles that a source names beside its media are renditions too. */
const withTexts = ({ sidecars = [], ...asset }: Asset): Asset[] => [
  ...(asset.files.length > 0 ? [asset] : []),
  ...sidecars
    .filter(({ kind, uri }) => kind === "subtitle" && isText(uri))
    .map(({ uri, language }) => ({
      ...{ version: asset.version, files: [{ uri }] },
      ...(language !== undefined && { layer: { subtitle: [{ language: languageOf(language) }] } }),
    })),
];

const recipeOf = (context: PlanContext<PackagePayload>, assets: readonly Asset[]): PackageRecipe => {
  const making = makingOf(context, assets);
  const made = isSmooth(making) ? withSmooth(making, make(making)) : make(making);
  const files = assets.flatMap((asset, at) =>
    wholeFiles(asset, context.uid).map(({ uri }, part) => [`${at}_${part}`, uri] as const),
  );
  return {
    assets: { ...Object.fromEntries(files), ...made.keyAssets },
    outputs: buildOutputs(making, made),
    steps: [...made.steps, buildPlaceStep(making, made)],
    notes: packageWarnings(making),
    requires: made.requires,
  };
};

const makingOf = (context: PlanContext<PackagePayload>, assets: readonly Asset[]): PackagingContext => {
  const { uid, payload, job } = context;
  const shape = shapeOf(payload, `${uid}.payload`);
  const renditions = buildRenditions(assets, uid, withoutNumber(payload.media_file_pattern), job.id);
  const sourceName = nameOf((context.source ?? assets)[0]?.files[0]?.uri ?? "");
  const [kinds, places] = [kindsOf(payload), planPlaces(payload, { uid, sourceName, jobId: job.id })];
  const master = kinds.includes("hls") && places.playlists === places.hls.folder ? places.hls.name : undefined;
  return {
    ...{ context, renditions, kinds, shape, sourceName, places },
    names: createNaming(renditions, payload, { uid, jobId: job.id, shape, master }),
    protection: createProtection(payload, uid),
    said: saidInDash(renditions),
  };
};

const isSmooth = ({ kinds }: PackagingContext): boolean => kinds.includes("smooth");

const make = (making: PackagingContext): PackagingSteps => {
  if (making.kinds.every((kind) => kind === "smooth")) return nothing;
  if (making.context.payload.force_original_media) return originalSteps(making);
  return making.shape.isTransport && !packagerMakes(making) ? transportSteps(making) : fragmentSteps(making);
};

const nothing: PackagingSteps = {
  ...{ steps: [], media: [], keys: [], requires: [] },
  hasIframes: () => false,
  withPicture: () => undefined,
};

/** Transport streams that ffmpeg cannot make: with I-frame playlists, or encrypted sample by sample. */
const packagerMakes = ({ shape, context, kinds, renditions, protection }: PackagingContext): boolean => {
  const found = renditions.flatMap((each): Protection[] => [protection(each) ?? []].flat());
  const hasIframes = kinds.includes("hls") && context.payload.hls?.include_iframe_manifests === true;
  if (shape.mode === "multiplexed_ts" || found.some(({ written }) => written.schema === "aes-128-cbc")) return false;
  return hasIframes || found.length > 0;
};
