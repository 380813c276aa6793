import { firstRepeated } from "../../../../shared/basics/first-repeated.ts";
import { toNumber } from "../../../../shared/basics/rational.ts";
import { folderUri } from "../../../../shared/files/location.ts";
import { objectOptionsOf } from "../../../../shared/files/object-options.ts";
import type { Asset } from "../../../../shared/model/asset.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import { atSpeed } from "../../../virtual-source/at-speed.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import { listingOf } from "../../source/read-trim.ts";
import { fileTargets } from "../conflicts/single-streams.ts";
import { autoSpeedOf, type Speed, speedOf } from "../containers/filters/speed.ts";
import type { TargetRecipe, Timeline } from "../recipe.ts";
import { splicesOf, withSpliceKeys } from "../splices.ts";
import { planTarget } from "../target.ts";
import type { Target } from "../target-schema.ts";
import { isAlwaysIntra } from "../video/encoding/copy.ts";
import { type Opening, type Targets, timelineWithAudio, trimmed } from "./timeline.ts";
import { wantedTarget } from "./wanted-target.ts";

type Planned = { readonly range: string; readonly target: TargetRecipe; readonly source: VirtualSource };

/** Targets that are cut alike share a timeline. `opening.trims` collects the frames that must be listed first. */
export const planTimelines = (assets: readonly Asset[], targets: Targets, opening: Opening): Timeline[] => {
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
  const { context, extras } = opening;
  const written = targets[index];
  if (!written) return [];
  const path = `${context.uid}.payload.targets[${index}]`;
  const wanted = wantedTarget(written, context.payload, path);
  const assets = trimmed(whole, wanted.trim, `targets[${index}]`, opening);
  const played = playedSource(assets, targets, wanted, path, opening);
  const { source, speed } = played;
  const isIntra = isCutAnywhere(source, wanted, opening);
  if (isIntra === undefined) return [];
  const start = startOf(assets);
  const duration = source.timing.duration && toNumber(source.timing.duration);
  const splices = splicesOf(context, wanted, { assets, part: { start, speed: speed ?? 1, duration }, path });
  const target = { ...withSpliceKeys(wanted, splices), uid: wanted.uid ?? `target_${index}` };
  const around = { ...surroundingsOf(assets, context), source, speed, splices, isIntra, path };
  const range = JSON.stringify([played.change, ...assets.map((asset) => asset.range)]);
  return fileTargets(target).flatMap((file) => {
    const recipe = planTarget({ ...around, target: file, extras: extras.of(source, start) });
    return recipe ? [{ range, target: recipe, source }] : [];
  });
};

/** The source as one target plays it, and how many times faster that is. */
const playedSource = (
  assets: readonly Asset[],
  targets: Targets,
  wanted: Target,
  path: string,
  opening: Opening,
): { readonly source: VirtualSource; readonly change: Speed | undefined; readonly speed: number | undefined } => {
  const own = timelineWithAudio(assets, targets, opening);
  const change = speedOf(wanted, path) ?? autoSpeedOf(wanted, targets, own.facts);
  if (!change) return { source: own, change, speed: undefined };
  const source = atSpeed(own, change);
  const [slow, fast] = [own.timing.duration, source.timing.duration];
  return { source, change, speed: slow && fast && toNumber(slow) / toNumber(fast) };
};

/** What all targets of the element share: its folder, and the file that gives them their names. */
const surroundingsOf = (assets: readonly Asset[], { uid, payload, job, inputs }: Opening["context"]) => {
  const path = `${uid}.payload.location`;
  const [text] = inputs.flatMap((input) => input.sidecars ?? []);
  return {
    parent: payload.location && folderUri(payload.location, undefined, path),
    object: objectOptionsOf(payload.location, path),
    uri: assets[0]?.files[0]?.uri ?? text?.uri ?? "",
    jobId: job.id,
  };
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

const checkDifferent = (targets: readonly TargetRecipe[], uid: string): void => {
  const uids = firstRepeated(targets.map((target) => target.uid));
  if (uids) throw definitionError(`${uid} has two targets with the uid "${uids}"`);
  const places = targets.flatMap(({ folder, name, encryption }) =>
    [{ folder, name }, encryption?.keyFile ?? []].flat(),
  );
  const names = firstRepeated(places.map(({ folder, name }) => `${folder.replace(/\/+$/, "")}/${name}`));
  if (names) throw definitionError(`${uid} has two targets that write ${names}`);
};
