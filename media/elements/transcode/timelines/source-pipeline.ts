import { parseFrameRate } from "../../../../shared/basics/rational.ts";
import type { Asset, Section, Sound } from "../../../../shared/model/asset.ts";
import { definitionError, TaskError } from "../../../../shared/model/failure.ts";
import { sourceArgs } from "../../../ffmpeg/source-args.ts";
import { sectionsOf } from "../../../virtual-source/build-virtual-source.ts";
import { withSounds } from "../../../virtual-source/mixed-tracks.ts";
import { sideBySide } from "../../../virtual-source/side-by-side.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import { type MapTrack, mapTracks } from "../../source/audio-map.ts";
import { readingOf } from "../../source/reading.ts";
import type { Contents } from "../../source/schema.ts";
import type { SourcePipeline } from "../pipeline-schema.ts";
import { isSelected, withUids } from "./section-filters.ts";

/**
 * The source, read as the pipeline asks, before any target sees it; its trim comes afterwards. For several assets
 * this settles only the reading: their maps are for all of them together.
 */
export const applyPipeline = (
  assets: readonly Asset[],
  pipeline: SourcePipeline | undefined,
  path: string,
): readonly Asset[] => (pipeline ? assets.map((asset) => oneThrough(asset, pipeline, assets.length, path)) : assets);

/** Assets that play side by side, with the sound that the pipeline maps. */
export const besideMapped = (
  timelines: readonly VirtualSource[],
  pipeline: SourcePipeline | undefined,
  path: string,
): VirtualSource => {
  const timeline = sideBySide(timelines);
  const contents = timelines.length > 1 && pipeline?.contents?.some(({ map }) => map) ? pipeline.contents : undefined;
  if (!contents) return timeline;
  const what = `${path}.contents`;
  const tracks = timeline.facts.audio.map(({ channels, language }, ref) => ({ ref, channels, language }));
  const made = mapTracks([{ tracks, contents, what }]);
  const sounds = made.map(({ language, from }) => ({
    language,
    path: what,
    from: from.map(({ ref, channel }) => ({ track: ref, channel })),
  }));
  return withSounds(timeline, sounds);
};

const oneThrough = (asset: Asset, pipeline: SourcePipeline, count: number, path: string): Asset => {
  refuseManifest(asset, pipeline, path);
  const { frame_rate, ffmpeg_source_args: args, options, contents } = pipeline;
  const rate = frame_rate === undefined ? undefined : parseFrameRate(frame_rate);
  if (frame_rate !== undefined && !rate) {
    throw definitionError(`${path}.frame_rate "${frame_rate}" is not a frame rate`);
  }
  const reading = {
    ...readingOf([options], asset.reading).reading,
    ...(rate && { rate }),
    ...(args !== undefined && { args: sourceArgs(args, `${path}.ffmpeg_source_args`) }),
  };
  const played =
    count === 1 && contents?.some(({ map }) => map) ? mapped(asset, contents, `${path}.contents`) : asset.sections;
  const sections = selectable({ ...asset, ...(played && { sections: played }) }, pipeline, path);
  return { ...asset, ...(sections && { sections }), ...(Object.keys(reading).length > 0 && { reading }) };
};

/** The trim with names for its sections, where a filter selects one of them. */
const selectable = (asset: Asset, { filters = [] }: SourcePipeline, path: string): Asset["sections"] => {
  const selectors = filters.flatMap(({ selector }) => selector ?? []);
  if (selectors.length === 0) return asset.sections;
  const sections = withUids(asset);
  const lost = selectors.find((selector) => !sections.some((section) => isSelected(section, selector)));
  if (lost === undefined) return sections;
  throw definitionError(`${path}.filters: the source has no version "${lost}"`);
};

const refuseManifest = ({ manifest }: Asset, { manifest_decode_strategy: strategy }: SourcePipeline, path: string) => {
  if (!manifest || !strategy || strategy === "simple") return;
  if (strategy === "reject_master_playlist" && manifest.isMaster) {
    throw definitionError(`${path}.manifest_decode_strategy rejects the source: it has several variants`);
  }
  if (strategy === "reject_complex" && (manifest.isComplex || manifest.isMaster)) {
    throw definitionError(`${path}.manifest_decode_strategy rejects the source: it has more than one list of segments`);
  }
};

/** Audio by the maps, in every section; pictures stay. What a section lacks and another one has is silent. */
const mapped = (asset: Asset, contents: Contents, path: string): Section[] => {
  const sections = sectionsOf(asset);
  const lenient = contents.map((content) => ({ ...content, mode: content.mode ?? ("partial" as const) }));
  const strict = sections.map((section) => tryMap(section, asset, lenient, path));
  const [failure] = strict.flatMap(({ error }) => error ?? []);
  if (failure && strict.every(({ error }) => error)) throw failure;
  const optional = contents.map((content) => ({ ...content, mode: "optional_map" as const }));
  return sections.map((section, index) => strict[index]?.section ?? mapSection(section, asset, optional, path));
};

type Tried = { readonly section?: Section; readonly error?: TaskError };

const tryMap = (section: Section, asset: Asset, contents: Contents, path: string): Tried => {
  try {
    return { section: mapSection(section, asset, contents, path) };
  } catch (error) {
    if (error instanceof TaskError) return { error };
    throw error;
  }
};

const mapSection = (section: Section, { files }: Asset, contents: Contents, what: string): Section => {
  const sounds = section.sounds ?? allSounds(section, files);
  const tracks = sounds.map((sound, ref): MapTrack<number> => {
    const channels = channelsOf(sound, section, files);
    return { ref, channels, ...(sound.language !== undefined && { language: sound.language }) };
  });
  const made = mapTracks([{ tracks, contents, what }]);
  return {
    ...section,
    sounds: made.map(({ language, from }) => ({
      ...(language !== undefined && { language }),
      from: from.flatMap(({ ref, channel }) => pickedFrom(sounds[ref], channel)),
    })),
  };
};

const audioOf = ({ file, generated }: Section["parts"][number], files: Asset["files"]) =>
  generated
    ? generated.audio.map(({ channels }, track) => ({ index: track + 1, channels }))
    : (files[file ?? 0]?.facts?.audio ?? []);

const allSounds = ({ parts }: Section, files: Asset["files"]): Sound[] =>
  parts.flatMap((each, part) => audioOf(each, files).map(({ index }) => ({ from: [{ part, stream: index }] })));

const channelsOf = ({ from }: Sound, { parts }: Section, files: Asset["files"]): number => {
  const [first] = from;
  const part = first && parts[first.part];
  if (!first || !part || first.channel !== undefined) return Math.max(from.length, 1);
  return audioOf(part, files).find(({ index }) => index === first.stream)?.channels ?? 0;
};

const pickedFrom = (sound: Sound | undefined, channel: number | undefined): Sound["from"] => {
  const [first] = sound?.from ?? [];
  if (!sound || !first || channel === undefined) return sound?.from ?? [];
  return first.channel === undefined ? [{ ...first, channel }] : sound.from.slice(channel, channel + 1);
};
