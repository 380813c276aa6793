import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Output } from "../../../shared/work/work.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { buildVirtualSource, withFacts } from "../../virtual-source/build-virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { playedManifests } from "../source/played-manifests.ts";
import { requirementsOf } from "./compile.ts";
import type { BifRecipe } from "./recipe.ts";
import type { BifCreatorPayload } from "./schema.ts";

type Context = PlanContext<BifCreatorPayload>;

const isJpeg = (uri: string): boolean => /\.jpe?g$/i.test(nameOf(uri));
const isPictures = ({ files }: Asset): boolean => files.length > 0 && files.every(({ uri }) => isJpeg(uri));

/** Texts may come in beside the film. */
const isSeen = ({ files }: Asset): boolean =>
  !files.every(({ uri }) => /\.(vtt|srt|ttml|scc|mcc|mpd|key)$/i.test(nameOf(uri)));

/** One index for each chosen video: from input JPEG files, else from stills taken from the film. */
export const planBif = (context: Context): Plan<BifRecipe> => {
  const { uid, payload } = context;
  const played = playedManifests(context);
  if ("need" in played) return { need: played.need };
  const inputs = played.assets.filter(isSeen).map((asset) => withFacts(asset, context.factsOf));
  const films = inputs.filter((asset) => !isPictures(asset));
  const unknown = films.flatMap(({ files }) => files.filter(({ facts }) => !facts));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const candidates = [...inputs.filter(isPictures), ...films.filter(hasPicture)];
  if (candidates.length === 0) throw definitionError(`${uid} has no picture to index: nothing that came in has one`);
  const chosen = chosenBy(payload.source_stream_selection ?? "highest", candidates);
  const indexes = chosen.map((asset, at) => ({
    ...contentOf(asset, uid),
    output: outputOf(asset, context, at, chosen.length),
  }));
  const detail = { indexes, multiplier: payload.timestamp_multiplier ?? defaultMultiplier };
  return { tasks: [{ uid, name: uid, requires: requirementsOf(detail), weight: "light", detail }] };
};

/** Players of the format expect a still every ten seconds. */
const defaultMultiplier = 10_000;

const hasPicture = ({ files }: Asset): boolean =>
  files.some(({ facts }) => facts !== undefined && mainVideo(facts) !== undefined);

const heightOf = ({ files }: Asset): number =>
  Math.max(0, ...files.map(({ facts }) => (facts ? (mainVideo(facts)?.height ?? 0) : 0)));

const chosenBy = (
  selection: "all" | "highest" | "middle" | "first",
  candidates: readonly Asset[],
): readonly Asset[] => {
  if (selection === "all") return candidates;
  if (selection === "first") return candidates.slice(0, 1);
  const byHeight = [...candidates].sort((a, b) => heightOf(b) - heightOf(a));
  const at = selection === "highest" ? 0 : Math.floor((byHeight.length - 1) / 2);
  return byHeight.slice(at, at + 1);
};

const contentOf = (asset: Asset, uid: string): Pick<BifRecipe["indexes"][number], "source" | "pictures"> =>
  isPictures(asset) ? { pictures: asset.files.map(({ uri }) => uri) } : { source: buildVirtualSource(asset, uid) };

const outputOf = (asset: Asset, { uid, payload, job, source }: Context, at: number, count: number): Output => {
  const sourceName = nameOf((source?.[0] ?? asset).files[0]?.uri ?? "");
  const own = nameOf(asset.files[0]?.uri ?? "");
  const filled = fillPattern(payload.base_name, {
    ...{ sourceName: count > 1 ? own : sourceName, defaultExtension: ".bif", jobId: job.id },
  });
  const name = /\.bif$/i.test(filled) ? filled : `${filled}.bif`;
  const beside = asset.files[0]?.uri.replace(/\/[^/]*$/, "");
  const place = placeOf(payload.location, beside, `${uid}.payload.location`);
  const numbered = count > 1 && payload.base_name === filled ? name.replace(/\.bif$/i, `_${at}.bif`) : name;
  return { version: `bif_${at}`, ...place, name: numbered, isSequence: false, existing: payload.existing_files };
};
