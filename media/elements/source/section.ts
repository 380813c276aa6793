import { defined } from "../../../shared/basics/defined.ts";
import { subtract } from "../../../shared/basics/rational.ts";
import type { AssetFile, MediaFacts, Part, Section, Sidecar } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import { mainVideo, zeroOf } from "../../formats/stream-timing.ts";
import { buildFileSource } from "../../virtual-source/file-source.ts";
import { factsOfGenerated } from "../../virtual-source/generated.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { FoundFacts } from "../element.ts";
import { type MapSource, mapTracks } from "./audio-map.ts";
import type { Component, Version } from "./components.ts";
import type { TrimReader } from "./read-trim.ts";

export type SectionNeeds = { readonly found: (component: Component) => FoundFacts; readonly trims: TrimReader };

export type BuiltSection = {
  /** Absent if everything is beside the timeline: subtitles, captions, metadata. */
  readonly section?: Section;
  readonly files: readonly AssetFile[];
  readonly sidecars: readonly Sidecar[];
};

/**
 * A version as a section; its files are numbered from `first` on. The facts of everything that it plays must be known.
 */
export const buildSection = (version: Version, { found, trims }: SectionNeeds, first: number): BuiltSection => {
  const played = version.components
    .filter((component) => !isSidecar(component))
    .map((component) => ({ component, ...factsOf(component, found, trims) }));
  const lead = played.find(({ component, facts }) => takes(component, "video") && mainVideo(facts));
  const files: AssetFile[] = [];
  const parts = played.map((each): Part => {
    if (each.file) files.push(each.file);
    return partOf(each, each.file && first + files.length - 1, lead, trims);
  });
  const sounds = mapTracks(played.map(soundSource));
  const sidecars = version.components.flatMap(sidecarsOf);
  for (const component of version.components) checkSidecarTrim(component, played[0]?.component);
  if (parts.length === 0) return { files, sidecars };
  return {
    section: {
      ...(version.uid !== undefined && { uid: version.uid }),
      parts,
      picture: pictureOf(played),
      sounds: sounds.map(toSound),
    },
    files,
    sidecars,
  };
};

type Played = { readonly component: Component; readonly facts: MediaFacts; readonly file?: AssetFile };

const factsOf = (component: Component, found: SectionNeeds["found"], trims: TrimReader): Omit<Played, "component"> => {
  const { generated, uri, pieces } = component;
  if (generated) {
    const timeline = factsOfGenerated(generated, undefined);
    const range = trims.read(component.trim, { timeline, picture: undefined, what: `${component.path}.trim` });
    if (!range?.to) {
      throw definitionError(
        `${component.path} is generated and needs a trim with an end:  outpoint_sec or duration_sec`,
      );
    }
    return { facts: factsOfGenerated(generated, subtract(range.to, range.from)) };
  }
  if (uri === undefined) throw new Error("a component is a file or generated");
  const { facts, size, modified, images } = found(component);
  const file = { uri, size, modified, facts, ...(pieces && { pieces: [...pieces] }), ...(images && { images }) };
  return { facts, file };
};

/** A component before it is cut; undefined for generated ones. */
const timelineOf = ({ component, file, facts }: Played): VirtualSource | undefined =>
  file && buildFileSource({ ...file, facts }, component.path);

const partOf = (each: Played, file: number | undefined, lead: Played | undefined, trims: TrimReader): Part => {
  const { component, facts } = each;
  const { generated, range: placed, sharesClock } = component;
  // For sound that is cut by frames, or to where the picture begins, the picture it belongs to counts.
  const own = timelineOf(each);
  const picture = mainVideo(facts) || !lead ? own : timelineOf(lead);
  const timeline = own?.facts ?? facts;
  const follows = component.trim?.inpoint !== undefined || component.trim?.outpoint !== undefined;
  const counted = mainVideo(facts) || !lead ? timeline : { ...timeline, video: pictureAside(lead, follows, trims) };
  const trimmed = placed
    ? undefined
    : trims.read(component.trim, { timeline: counted, picture, what: `${component.path}.trim` });
  const range = placed ?? trimmed ?? (sharesClock ? clockRange(facts, lead?.facts) : undefined);
  return { ...(generated ? { generated } : { file }), ...(range && { range }) };
};

/** The picture that sound counts by; sound that follows it to its ends follows what is left of it. */
const pictureAside = (lead: Played, follows: boolean, trims: TrimReader): MediaFacts["video"] => {
  const picture = timelineOf(lead);
  const timeline = picture?.facts ?? lead.facts;
  const { component } = lead;
  const cut = component.trim && { timeline, picture, what: `${component.path}.trim` };
  const range = follows && cut ? (component.range ?? trims.read(component.trim, cut)) : undefined;
  if (!range) return timeline.video;
  const end = range.to ?? timeline.duration;
  const left = { start: range.from, duration: end && subtract(end, range.from) };
  const main = mainVideo(timeline);
  return timeline.video.map((each) => (each === main ? { ...each, ...left } : each));
};

/** Sound from a different file than its picture keeps its offset to it. */
const clockRange = (facts: MediaFacts, clock: MediaFacts | undefined): Part["range"] => {
  if (!clock || clock === facts || mainVideo(facts)) return undefined;
  const from = subtract(zeroOf(clock), zeroOf(facts));
  return from.num === 0 ? undefined : { from, precision: "sample" };
};

const takes = ({ contents }: Component, kind: string) => contents?.some((each) => each.kind === kind) ?? true;

type Ref = { readonly part: number; readonly stream: number };

const soundSource = ({ component, facts }: Played, part: number): MapSource<Ref> => ({
  tracks: takes(component, "audio")
    ? facts.audio.map(({ index, channels, language }) => ({ ref: { part, stream: index }, channels, language }))
    : [],
  contents: component.contents,
  what: `${component.path}.contents`,
});

const toSound = ({ language, from }: ReturnType<typeof mapTracks<Ref>>[number]) => ({
  ...(language !== undefined && { language }),
  from: from.map(({ ref, channel }) => ({ ...ref, ...(channel !== undefined && { channel }) })),
});

const pictureOf = (played: readonly Played[]): NonNullable<Section["picture"]> => {
  const part = played.findIndex(({ component, facts }) => takes(component, "video") && mainVideo(facts));
  const video = played[part] && mainVideo(played[part].facts);
  return video ? { part, stream: video.index } : "none";
};

const sidecarKinds = ["subtitle", "closed_caption", "metadata"] as const;

const sidecarKind = (kind: string) => sidecarKinds.find((each) => each === kind);

/** Only contents beside the picture are requested from it, so it is not a media file. */
export const isSidecar = ({ contents }: Component): boolean =>
  contents !== undefined && contents.length > 0 && contents.every(({ kind }) => sidecarKind(kind) !== undefined);

/** Subtitles and captions are cut with the picture. */
const checkSidecarTrim = (component: Component, first: Component | undefined): void => {
  if (!component.trim || !isSidecar(component) || isDeepEqual(component.trim, first?.trim)) return;
  throw capabilityError(
    `${component.path}.trim differs from that of the picture, which is not implemented: subtitles and captions are cut with it`,
  );
};

const isDeepEqual = (one: object, other: object | undefined): boolean => JSON.stringify(one) === JSON.stringify(other); // both are read by one schema, so their fields have one order

const sidecarsOf = (component: Component): Sidecar[] => {
  const { uri, contents = [] } = component;
  if (uri === undefined || !isSidecar(component)) return [];
  return contents.flatMap(({ kind: name, language, payload }) => {
    const kind = sidecarKind(name);
    if (!kind) return [];
    const { format, standard, category, sync_to_timecode } = payload ?? {};
    const said = {
      format,
      standard,
      category,
      language: language ?? payload?.language,
      syncToTimecode: sync_to_timecode,
    };
    return [{ uri, kind, ...defined(said) }];
  });
};
