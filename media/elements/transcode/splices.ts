import { bytesOfHex, hexOfBytes } from "../../../shared/basics/hex.ts";
import { toNumber } from "../../../shared/basics/rational.ts";
import { folderUri } from "../../../shared/files/location.ts";
import type { Asset } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError, sourceError } from "../../../shared/model/failure.ts";
import { momentsOf, type SplicePoint } from "../../../shared/work/splice-point.ts";
import { crc32 } from "../../formats/crc32.ts";
import { mainVideo, zeroOf } from "../../formats/stream-timing.ts";
import { readResult } from "../../results/index.ts";
import { pointsOfSections, SpliceError } from "../../splices/job-section.ts";
import { retimed } from "../../splices/splice-info.ts";
import { ticksPerSecond, wrapped } from "../../splices/ticks.ts";
import type { PlanContext, TaskPlan } from "../element.ts";
import type { Container } from "./containers/container.ts";
import type { Recipe, SpliceSearch, TargetRecipe } from "./recipe.ts";
import type { Target } from "./target-schema.ts";

/** Points for advertisements (SCTE 35): where they come from, and what they ask of a target. */

type Context = Pick<PlanContext<unknown>, "uid" | "stageResults">;
type Targets = readonly (Target | undefined)[];

/** Tasks that look for points that the job does not list itself; none are left once all have ended. */
export const searchSplices = (context: Context, targets: Targets, assets: readonly Asset[]): TaskPlan<Recipe>[] => {
  const searches = targets.flatMap((target, index) => searchOf(target, assets, pathOf(context, index)) ?? []);
  const unique = new Map(searches.map((search) => [uidOf(context, search), search]));
  return [...unique]
    .filter(([uid]) => context.stageResults?.(uid) === undefined)
    .map(([uid, search]) => ({
      ...{ uid, name: `${context.uid}: SCTE-35`, requires: [], weight: "light" as const },
      detail: { timelines: [], splices: [search] },
    }));
};

/** What a target's part of the source does to the times of points that come from there. */
type Part = { readonly start: number; readonly speed: number; readonly duration: number | undefined };

/** The points of one target, counted from its first frame; those outside of it are left out. */
export const splicesOf = (
  context: Context,
  target: Target,
  { assets, part, path }: { readonly assets: readonly Asset[]; readonly part: Part; readonly path: string },
): readonly SplicePoint[] => {
  const wanted = target.container?.scte35;
  if (!wanted) return [];
  const end = part.duration === undefined ? Number.POSITIVE_INFINITY : part.duration * ticksPerSecond;
  const isWithin = ({ at, splice = at }: SplicePoint) => splice >= 0 && splice < end && at < end;
  const search = searchOf(target, assets, path);
  if (!search) return listed(target, path).filter(isWithin);
  const found = readResult("splices", context.stageResults?.(uidOf(context, search))?.splices)?.points ?? [];
  return (search.stream ? found.map((point) => moved(point, part)) : found).filter(isWithin);
};

/** The target with key frames where it may be left and entered again. A copied picture has those of its source. */
export const withSpliceKeys = (target: Target, points: readonly SplicePoint[]): Target => {
  const { video } = target;
  if (!video?.enabled || video.codec === "copy" || points.length === 0) return target;
  const seconds = momentsOf(points).map((ticks) => ticks / ticksPerSecond);
  const own = video.forced_keyframes ?? [];
  const moments = Array.isArray(own) ? own : [own];
  const lists = moments.map((each) => (typeof each === "object" ? each : { timecodes: [each] }));
  return { ...target, video: { ...video, forced_keyframes: [...lists, { seconds }] } };
};

/** What the sections are written into; undefined where none are. Throws TaskError for a container without a place for them. */
export const placeOfSplices = (
  { container: fields }: Target,
  container: Container,
  name: string,
  path: string,
): NonNullable<TargetRecipe["splices"]>["into"] | undefined => {
  if (!fields?.scte35?.write_scte35_packets) return undefined;
  const place = container.isSegments && container.family !== "segmented_ts" ? undefined : places[container.muxer];
  if (place !== undefined && !/\.m2ts$/i.test(name)) return place;
  const what = "SCTE-35 sections are written into mpegts, segmented_ts, hls and DASH only";
  throw capabilityError(`${path}.container.scte35: ${what}; write_scte35_packets false sets key frames`);
};

const places: Readonly<Record<string, NonNullable<TargetRecipe["splices"]>["into"]>> = {
  mpegts: "stream",
  segment: "segments",
  hls: "playlist",
  dash: "manifest",
};

const searchOf = (target: Target | undefined, assets: readonly Asset[], path: string): SpliceSearch | undefined => {
  const wanted = target?.container?.scte35;
  const at = `${path}.container.scte35`;
  if (!wanted || wanted.scte35_sections) return undefined;
  if (wanted.splicepoint_file) return { uri: folderUri(wanted.splicepoint_file, undefined, `${at}.splicepoint_file`) };
  if (!wanted.use_source_media)
    throw definitionError(`${at} names no points: scte35_sections, splicepoint_file or use_source_media`);
  const stream = streamOf(assets);
  if (stream) return stream;
  if (wanted.use_source_media === "if_exists") return undefined;
  throw sourceError(`${at}.use_source_media required: the source is no single transport stream with SCTE-35`);
};

const streamOf = (assets: readonly Asset[]): SpliceSearch | undefined => {
  const [asset, second] = assets;
  const [file, other] = asset?.files ?? [];
  const { facts } = file ?? {};
  if (!file || !facts || second || other || asset?.sections || facts.format !== "mpegts") return undefined;
  const pids = facts.others.flatMap(({ codec, id }) => (codec === "scte_35" && id !== undefined ? [id] : []));
  const picture = mainVideo(facts)?.id ?? facts.audio[0]?.id;
  if (pids.length === 0 || picture === undefined) return undefined;
  const zero = wrapped(Math.round(toNumber(zeroOf(facts)) * ticksPerSecond));
  return { uri: file.uri, stream: { pids, picture, zero, ...(facts.clock?.jumps && { hasJumps: true as const }) } };
};

const listed = ({ container }: Target, path: string): SplicePoint[] => {
  try {
    return pointsOfSections(container?.scte35?.scte35_sections ?? []);
  } catch (problem) {
    if (problem instanceof SpliceError) throw definitionError(`${path}.container.scte35.${problem.message}`);
    throw problem;
  }
};

const moved = ({ at, splice, section }: SplicePoint, { start, speed }: Part): SplicePoint => {
  const there = (ticks: number) => Math.round((ticks - start * ticksPerSecond) / speed);
  if (splice === undefined) return { at: there(at), section };
  const by = there(splice) - splice;
  // A section from before the target may still be about a splice within it.
  const sent = Math.max(0, there(at));
  return { at: sent, splice: splice + by, section: hexOfBytes(retimed(bytesOfHex(section), by)) };
};

/** A stage's tasks are found again by what they look at. */
const uidOf = ({ uid }: Context, search: SpliceSearch): string =>
  `${uid}_splices_${crc32(new TextEncoder().encode(JSON.stringify(search))).toString(16)}`;

const pathOf = ({ uid }: Context, index: number): string => `${uid}.payload.targets[${index}]`;
