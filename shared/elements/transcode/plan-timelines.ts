import type { Asset } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { folderUri } from "../../location.ts";
import { objectOptionsOf } from "../../object-options.ts";
import { toNumber } from "../../rational.ts";
import { firstRepeated } from "../../repeated.ts";
import { atSpeed } from "../../virtual-source/at-speed.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { mainVideo } from "../../virtual-source/zero.ts";
import { listingOf } from "../source/read-trim.ts";
import { withoutConflicts } from "./conflicts.ts";
import { withFades } from "./containers/filters/fades.ts";
import { autoSpeedOf, speedOf } from "./containers/filters/speed.ts";
import { withExtencArgs } from "./extenc-args.ts";
import type { TargetRecipe, Timeline } from "./recipe.ts";
import type { Target, TranscodePayload } from "./schema.ts";
import { fileTargets } from "./single-streams.ts";
import { splicesOf, withSpliceKeys } from "./splices.ts";
import { withStandard } from "./standards/index.ts";
import { planTarget } from "./target.ts";
import { type Opening, type Targets, timelineWithAudio, trimmed } from "./timeline.ts";
import { isAlwaysIntra } from "./video/copy.ts";

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
  const { uid, payload, job } = opening.context;
  const written = targets[index];
  if (!written) return [];
  const path = `${uid}.payload.targets[${index}]`;
  const wanted = withoutConflicts(withStandard(withExtencArgs(written, path), path));
  const assets = trimmed(whole, wanted, `targets[${index}]`, opening);
  const ownSpeed = timelineWithAudio(assets, targets, opening);
  const speed = speedOf(wanted, path) ?? autoSpeedOf(wanted, targets, ownSpeed.facts);
  const source = speed ? atSpeed(ownSpeed, speed) : ownSpeed;
  const isIntra = isCutAnywhere(source, wanted, opening);
  if (isIntra === undefined) return [];
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const object = objectOptionsOf(payload.location, `${uid}.payload.location`);
  const [text] = opening.context.inputs.flatMap((input) => input.sidecars ?? []);
  const uri = assets[0]?.files[0]?.uri ?? text?.uri ?? "";
  const [slow, fast] = [ownSpeed.timing.duration, source.timing.duration];
  const factor = speed && slow && fast ? toNumber(slow) / toNumber(fast) : undefined;
  const part = { start: startOf(assets), speed: factor ?? 1, duration: fast && toNumber(fast) };
  const splices = splicesOf(opening.context, wanted, { assets, part, path });
  const requested = {
    ...withSpliceKeys(withFades(withPipeline(wanted, payload)), splices),
    uid: wanted.uid ?? `target_${index}`,
  };
  const recipes = fileTargets(requested).flatMap((file) => {
    const recipe = planTarget({
      source,
      speed: factor,
      splices,
      isIntra,
      uri,
      target: file,
      parent,
      object,
      jobId: job.id,
      path,
      extras: opening.extras.of(source, startOf(assets)),
    });
    return recipe ?? [];
  });
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
  const uids = firstRepeated(targets.map((target) => target.uid));
  if (uids) throw new TaskError("definition", `${uid} has two targets with the uid "${uids}"`);
  const places = targets.flatMap(({ folder, name, encryption }) =>
    [{ folder, name }, encryption?.keyFile ?? []].flat(),
  );
  const names = firstRepeated(places.map(({ folder, name }) => `${folder.replace(/\/+$/, "")}/${name}`));
  if (names) throw new TaskError("definition", `${uid} has two targets that write ${names}`);
};
