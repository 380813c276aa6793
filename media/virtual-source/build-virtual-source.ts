import { type Rational, ratio, toFraction } from "../../shared/basics/rational.ts";
import type { Asset, MediaFacts, Range, ReadingRules, Section } from "../../shared/model/asset.ts";
import { constantRate, mainVideo } from "../formats/stream-timing.ts";
import { cutSections, rangeWithin } from "./cut-sections.ts";
import { buildFileSource } from "./file-source.ts";
import { joinedTimeline } from "./joined-timeline.ts";
import { type OpenSection, openSection } from "./open-section.ts";
import type { VirtualSource } from "./virtual-source.ts";

/** What is done to a section before it is joined to others. */
export type SectionFilter = (open: OpenSection, section: Section) => OpenSection;

/** An asset as one timeline. The facts of its files must be known. Throws TaskError for a range beyond its end. */
export const buildVirtualSource = (asset: Asset, what: string, through?: SectionFilter): VirtualSource => {
  const timeline = timelineOf(asset, what, through);
  return asset.reading ? { ...tolerant(timeline, asset.reading), reading: asset.reading } : timeline;
};

/** If damaged frames are tolerated, the previous frame fills their place. */
const tolerant = (
  timeline: VirtualSource,
  { maxDecodeErrors, maxSequentialDecodeErrors }: ReadingRules,
): VirtualSource => {
  const video = mainVideo(timeline.facts);
  const rate = video && constantRate(video);
  if (!rate || !(maxDecodeErrors || maxSequentialDecodeErrors)) return timeline;
  const fill = { name: "fps", options: { fps: toFraction(rate), start_time: "0" } };
  const tracks = timeline.tracks.map((track) =>
    track.index === video.index ? { ...track, filters: [...track.filters, fill] } : track,
  );
  return { ...timeline, tracks };
};

const timelineOf = (asset: Asset, what: string, through: SectionFilter | undefined): VirtualSource => {
  const plain = plainFile(asset);
  const rate = rateOf(asset);
  if (plain && !rate && !through) return buildFileSource(plain, `${what}: the range`);
  const sections = sectionsOf(asset);
  const cut = asset.range ? cutSections(sections, openSections(sections, asset, what), asset.range, what) : sections;
  const opened = openSections(cut, asset, what);
  const [only, ...others] = through ? opened.map((open, index) => through(open, cut[index] ?? { parts: [] })) : opened;
  if (!only) throw new Error(`${what} has no section`);
  return others.length === 0 && !rate ? singleSection(only) : joinedTimeline([only, ...others], rate, what);
};

/** The rate that the timeline is converted to. */
const rateOf = ({ reading, files }: Asset): Rational | undefined => {
  const { rate, fixedRate } = reading ?? {};
  if (rate || !fixedRate) return rate;
  const [video] = files.flatMap(({ facts }) => (facts && mainVideo(facts)) ?? []);
  return video?.frameRate ?? video?.averageFrameRate;
};

/** The single file of an asset, if its tracks are used unchanged. */
const plainFile = (asset: Asset) => {
  const [section, second] = sectionsOf(asset);
  const [part, secondPart] = section?.parts ?? [];
  if (!part || second || secondPart || section?.picture || section?.sounds || part.generated) return undefined;
  if (asset.range && part.range) return undefined;
  const file = asset.files[part.file ?? 0];
  if (!file?.facts) throw new Error("an asset is planned without the facts of its file");
  return { ...file, facts: file.facts, range: asset.range ?? part.range };
};

const openSections = (sections: readonly Section[], { files }: Asset, what: string): OpenSection[] => {
  let first = 0;
  return sections.map((section) => {
    const timeline = openSection(section, files, first, what);
    first += timeline.inputs.length;
    return timeline;
  });
};

const singleSection = ({ inputs, picture, sounds, container, timing }: OpenSection): VirtualSource => ({
  inputs,
  tracks: [
    ...(picture ? [{ index: 0, ...picture.feed }] : []),
    ...sounds.map(({ feed }, track) => ({ index: track + 1, ...feed })),
  ],
  facts: {
    ...container,
    start: ratio(0),
    video: picture ? [{ ...picture.facts, index: 0 }] : [],
    audio: sounds.map(({ facts }, track) => ({ ...facts, index: track + 1 })),
  },
  timing,
});

/** The asset cut to a range, in seconds of the timeline that it makes. */
export const narrowed = (asset: Asset, range: Range | undefined): Asset =>
  range ? { ...asset, range: rangeWithin(asset.range, range) } : asset;

/** The sections of an asset; without sections, its files play one after the other. */
export const sectionsOf = ({ sections, files }: Asset): readonly Section[] =>
  sections ?? files.map((_file, file) => ({ parts: [{ file }] }));

/** The asset with newly found facts about files that had none. */
export const withFacts = (
  asset: Asset,
  factsOf: (uri: string) => { readonly facts: MediaFacts } | undefined,
): Asset => ({
  ...asset,
  files: asset.files.map((file) => ({ ...file, facts: file.facts ?? factsOf(file.uri)?.facts })),
});
