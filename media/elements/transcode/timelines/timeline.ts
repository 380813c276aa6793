import type { Asset } from "../../../../shared/model/asset.ts";
import { capabilityError } from "../../../../shared/model/failure.ts";
import { buildVirtualSource, narrowed } from "../../../virtual-source/build-virtual-source.ts";
import { isMix, type TrackRequest, withMixes } from "../../../virtual-source/mixed-tracks.ts";
import type { Trim } from "../../../virtual-source/trim-schema.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import { withSilence } from "../../../virtual-source/with-silence.ts";
import type { PlanContext } from "../../element.ts";
import type { TrimReader } from "../../source/read-trim.ts";
import type { ExtrasBook } from "../filters/extras.ts";
import type { TranscodePayload } from "../schema.ts";
import type { Target } from "../target-schema.ts";
import { sectionFilter } from "./section-filters.ts";
import { applySourceFilters } from "./source-filters.ts";
import { besideMapped } from "./source-pipeline.ts";
import { silentSource } from "./text-sources.ts";

export type Opening = {
  readonly context: PlanContext<TranscodePayload>;
  readonly trims: TrimReader;
  readonly extras: ExtrasBook;
};

/** Targets at their places; undefined: its conditions leave it out. */
export type Targets = readonly (Target | undefined)[];

/** All assets as the one timeline that targets are made of. */
export const buildTimeline = (
  assets: readonly Asset[],
  { context: { uid, payload }, extras }: Opening,
): VirtualSource => {
  const [pipeline, path] = [payload.source_pipeline, `${uid}.payload.source_pipeline`];
  if (assets.length === 0) return silentSource;
  return besideMapped(
    assets.map((asset) => buildVirtualSource(asset, uid, sectionFilter(pipeline, extras, path))),
    pipeline,
    path,
  );
};

/** The assets after the trim of some part of the payload. */
export const trimmed = (
  assets: readonly Asset[],
  requested: Trim | undefined,
  at: string,
  opening: Opening,
): readonly Asset[] => {
  if (!requested) return assets;
  if (assets.length === 0)
    throw capabilityError(`${opening.context.uid}.payload.${at}.trim needs media beside the subtitles`);
  const picture = buildTimeline(assets, opening);
  const what = `${opening.context.uid}.payload.${at}.trim`;
  const range = opening.trims.read(requested, { timeline: picture.facts, picture, what });
  return assets.map((asset) => narrowed(asset, range));
};

/** The timeline with every track that some target wants: silence for missing ones, and mixes of its channels. */
export const timelineWithAudio = (assets: readonly Asset[], targets: Targets, opening: Opening): VirtualSource => {
  const { extras } = opening;
  const { uid, payload } = opening.context;
  const timeline = buildTimeline(assets, opening);
  const isFilled = assets.some(({ reading }) => reading?.silence);
  const full = isFilled ? withSilence(timeline, tracksWanted(targets, timeline)) : timeline;
  const filtered = applySourceFilters(full, payload.source_pipeline, extras, `${uid}.payload.source_pipeline`);
  return withMixes(filtered, mixesWanted(targets, `${uid}.payload`));
};

/** The tracks that targets want mixed from the source's channels. */
const mixesWanted = (targets: Targets, path: string): TrackRequest[] =>
  targets.flatMap((target, index) =>
    (target?.audio ?? []).flatMap(({ source: from = [], enabled }, track) =>
      enabled && isMix(from) ? [{ from, path: `${path}.targets[${index}].audio[${track}].source` }] : [],
    ),
  );

/** The one track of a source feeds every track that names none. */
const tracksWanted = (targets: Targets, { facts }: VirtualSource): number => {
  const isFedByOne = facts.audio.length === 1;
  const wanted = targets.flatMap((target) =>
    (target?.audio ?? []).map(
      ({ source }, index) => Math.max(...(source ?? [{ track: isFedByOne ? 0 : index }]).map(({ track }) => track)) + 1,
    ),
  );
  return Math.max(0, ...wanted);
};
