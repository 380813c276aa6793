import { definitionError } from "../../../shared/model/failure.ts";
import type { Contents } from "./schema.ts";

/** One input track that may be mapped; `Ref` is the caller's reference to it. */
export type MapTrack<Ref> = { readonly ref: Ref; readonly channels: number; readonly language?: string };

/** Output: one whole track, or single channels in order. Nothing means silence. */
export type MappedTrack<Ref> = {
  readonly language?: string;
  readonly from: readonly { readonly ref: Ref; readonly channel?: number }[];
};

export type MapSource<Ref> = {
  readonly tracks: readonly MapTrack<Ref>[];
  /** Undefined: everything is used. */
  readonly contents: Contents | undefined;
  readonly what: string;
};

/**
 * The output tracks of several parallel sources. Without a map, tracks follow one another; a map assigns tracks and
 * channels, and -1 drops them. Tracks that no entry names keep their number, unless the map is complete or an entry of
 * another source uses that number. Throws TaskError `definition` for a missing input that the map does not mark as
 * optional.
 */
export const mapTracks = <Ref>(sources: readonly MapSource<Ref>[]): MappedTrack<Ref>[] => {
  const slots: Slots<Ref> = new Map();
  for (const source of sources) place(source, slots, placesNamed(sources.filter((each) => each !== source)));
  const count = Math.max(-1, ...slots.keys()) + 1;
  return Array.from({ length: count }, (_, track) => {
    const { language, whole, channels = [] } = slots.get(track) ?? {};
    const from = whole === undefined ? channels.filter((each) => each !== undefined) : [{ ref: whole }];
    return { ...(language !== undefined && { language }), from };
  });
};

type Slot<Ref> = {
  language?: string;
  whole?: Ref;
  /** By output channel. */
  channels?: ({ readonly ref: Ref; readonly channel: number } | undefined)[];
};
type Slots<Ref> = Map<number, Slot<Ref>>;
type AudioContent = Contents[number];

/** The output tracks that maps name. */
const placesNamed = (sources: readonly MapSource<unknown>[]): ReadonlySet<number> => {
  const entries = sources.flatMap(({ contents }) => (contents ?? []).flatMap(({ map }) => map ?? []));
  return new Set(entries.map(({ output }) => output.track));
};

const place = <Ref>({ tracks, contents, what }: MapSource<Ref>, slots: Slots<Ref>, wanted: ReadonlySet<number>) => {
  const audio = contents?.filter(({ kind }) => kind === "audio") ?? [{ kind: "audio" as const }];
  const plain = audio.filter(({ map }) => !map);
  for (const content of audio) if (content.map) placeMapped(content, { tracks, what, slots, wanted });
  if (plain.length === 0) return;
  for (const [index, { ref, language }] of tracks.entries()) {
    // Several entries without a map name the languages of one track each.
    const named = languageOf(plain.length > 1 ? plain[index] : plain[0]);
    slots.set(nextFree(slots), { whole: ref, language: named ?? language });
  }
};

const nextFree = (slots: ReadonlyMap<number, unknown>) => Math.max(-1, ...slots.keys()) + 1;

const languageOf = (content: AudioContent | undefined) => content?.language ?? content?.payload?.language;

type Request<Ref> = {
  readonly tracks: readonly MapTrack<Ref>[];
  readonly what: string;
  readonly slots: Slots<Ref>;
  /** Track numbers used by entries of other sources. */
  readonly wanted: ReadonlySet<number>;
};
type Entry = NonNullable<AudioContent["map"]>[number];

const placeMapped = <Ref>(content: AudioContent, { tracks, what, slots, wanted }: Request<Ref>): void => {
  const { map = [], mode } = content;
  for (const [index, entry] of map.entries()) {
    const path = `${what}.map[${index}]`;
    if (isMissing(entry, tracks, mode, path) || entry.output.track < 0 || entry.output.channel === -1) continue;
    const track = tracks[entry.input.track];
    const slot = slots.get(entry.output.track) ?? {};
    slots.set(entry.output.track, slot);
    slot.language ??= languageOf(content) ?? track?.language;
    if (track) fill(slot, track, entry, path);
  }
  checkHoles(slots, mode, what);
  if (mode === "complete_map") return;
  const named = new Set(map.map(({ input }) => input.track));
  for (const [index, { ref, language }] of tracks.entries()) {
    if (!named.has(index) && !slots.has(index) && !wanted.has(index))
      slots.set(index, { whole: ref, language: languageOf(content) ?? language });
  }
};

const isMissing = <Ref>(
  { input }: Entry,
  tracks: readonly MapTrack<Ref>[],
  mode: AudioContent["mode"],
  path: string,
) => {
  const track = tracks[input.track];
  const has = track && (input.channel === undefined || (input.channel >= 0 && input.channel < track.channels));
  if (has || mode === "optional_map") return !has;
  const channel = track ? ` with a channel ${input.channel}` : "";
  throw definitionError(`${path} maps track ${input.track}${channel}, which the file does not have`);
};

const fill = <Ref>(slot: Slot<Ref>, { ref, channels }: MapTrack<Ref>, { input, output }: Entry, path: string): void => {
  if (input.channel === undefined && output.channel === undefined) {
    if (slot.whole !== undefined || slot.channels) throw taken(path, output.track);
    slot.whole = ref;
    return;
  }
  if (slot.whole !== undefined) throw taken(path, output.track);
  slot.channels ??= [];
  const wanted = input.channel === undefined ? Array.from({ length: channels }, (_, at) => at) : [input.channel];
  for (const [offset, channel] of wanted.entries()) {
    const at = output.channel === undefined ? slot.channels.length : output.channel + offset;
    if (slot.channels[at]) throw taken(path, output.track);
    slot.channels[at] = { ref, channel };
  }
};

const taken = (path: string, track: number) =>
  definitionError(`${path}: another channel is already mapped to that position of track ${track}`);

const checkHoles = <Ref>(slots: Slots<Ref>, mode: AudioContent["mode"], what: string): void => {
  if (mode === "optional_map") return;
  for (const [track, { channels = [] }] of slots) {
    const hole = Array.from(channels).indexOf(undefined);
    if (hole !== -1) throw definitionError(`${what}: nothing is mapped to channel ${hole} of track ${track}`);
  }
};
