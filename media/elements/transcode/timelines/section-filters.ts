import type { Asset, Section } from "../../../../shared/model/asset.ts";
import { capabilityError } from "../../../../shared/model/failure.ts";
import { type SectionFilter, sectionsOf } from "../../../virtual-source/build-virtual-source.ts";
import { selectedTimecode } from "../../../virtual-source/clock-time.ts";
import type { OpenSection } from "../../../virtual-source/open-section.ts";
import type { Extras, ExtrasBook } from "../filters/extras.ts";
import { applyAudioFilters, applyVideoFilters } from "../filters/filtered-track.ts";
import type { SourcePipeline } from "../pipeline-schema.ts";

type Filters = NonNullable<SourcePipeline["filters"]>[number];

/** Sections by names that survive a cut: their own, or their place in the sequence. */
export const withUids = (asset: Asset): Section[] =>
  sectionsOf(asset).map((section, index, { length }) => ({
    ...section,
    uid: `${section.uid ?? ""}${mark}${index}${index === length - 1 ? `${mark}last` : ""}`,
  }));

/** A character that no uid of a job contains. */
const mark = "\u0000";

/** By its uid, by its place counted from 0, or as the `last` one. */
export const isSelected = ({ uid = "" }: Pick<Section, "uid">, selector: string): boolean =>
  uid.split(mark).includes(selector);

/** What a pipeline's filters do to the one version of a sequence that each selects; undefined where none selects any. */
export const sectionFilter = (
  pipeline: SourcePipeline | undefined,
  extras: ExtrasBook,
  path: string,
): SectionFilter | undefined => {
  const chosen = (pipeline?.filters ?? []).flatMap((each, index) =>
    each.selector === undefined ? [] : [{ each, selector: each.selector, at: `${path}.filters[${index}]` }],
  );
  if (chosen.length === 0) return undefined;
  return (open, cut) =>
    chosen.reduce(
      (section, { each, selector, at }) =>
        isSelected(cut, selector) ? filteredSection(section, each, unmeasured(extras, at), at) : section,
      open,
    );
};

/** A measurement covers the whole timeline; a version is a part of it. */
const unmeasured = (extras: ExtrasBook, path: string): Extras => ({
  ...extras.alone,
  measure: () => {
    throw capabilityError(`${path}: one version of a sequence cannot be measured first; give it a source`);
  },
});

const filteredSection = (open: OpenSection, { video, audio }: Filters, extras: Extras, path: string): OpenSection => {
  const { picture, sounds, container, timing } = open;
  const common = { timing, extras };
  const timecodeOf = (selector: Parameters<typeof selectedTimecode>[1]) => selectedTimecode(container, selector);
  const seen =
    picture &&
    applyVideoFilters(video, undefined, {
      ...{ ...common, picture: picture.facts, source: picture.facts, timecodeOf, path: `${path}.video` },
    });
  return {
    ...open,
    ...(picture && seen && { picture: { ...picture, facts: seen.facts, feed: longer(picture.feed, seen) } }),
    sounds: sounds.map((sound, track) => {
      const place = { sound: sound.facts, track, trackIndex: sound.facts.index, before: [], isWhole: timing.isWhole };
      const heard = applyAudioFilters(audio, undefined, { ...common, ...place, path: `${path}.audio` });
      return { facts: heard.facts, feed: longer(sound.feed, heard) };
    }),
    timing: { ...timing, isWhole: false },
  };
};

type Feed = OpenSection["sounds"][number]["feed"];

const longer = (feed: Feed, { filters }: Pick<Feed, "filters">): Feed => ({
  ...feed,
  filters: [...feed.filters, ...filters],
});
