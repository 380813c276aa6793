import type { AudioFacts } from "../../../../shared/model/asset.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import { selectedTimecode } from "../../../virtual-source/clock-time.ts";
import { withMixes, withSounds } from "../../../virtual-source/mixed-tracks.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Extras, ExtrasBook } from "../filters/extras.ts";
import { applyAudioFilters, applyVideoFilters } from "../filters/filtered-track.ts";
import type { SourcePipeline } from "../pipeline-schema.ts";

type Filters = NonNullable<SourcePipeline["filters"]>[number];

/** The timeline after the pipeline's filters, for all targets: its main picture, and each of its sounds. */
export const applySourceFilters = (
  timeline: VirtualSource,
  pipeline: SourcePipeline | undefined,
  extras: ExtrasBook,
  path: string,
): VirtualSource => {
  const all = (pipeline?.filters ?? []).flatMap((each, index) =>
    each.selector === undefined ? [{ each, at: `${path}.filters[${index}]` }] : [],
  );
  const filtered = all.reduce((source, { each, at }) => filteredBy(source, each, extras.of(source), at), timeline);
  const programmes = pipeline?.multi_track_audio_processing ?? [];
  return programmes.reduce((source, programme, index) => {
    const at = `${path}.multi_track_audio_processing[${index}]`;
    return withProgramme(source, programme, extras, at);
  }, filtered);
};

/** A timeline after the filters of one entry: the tracks' facts and their making change together. */
export const filteredBy = (
  source: VirtualSource,
  { video, audio }: Pick<Filters, "video" | "audio">,
  extras: Extras,
  path: string,
): VirtualSource => {
  const { facts, timing } = source;
  const picture = video && mainVideo(facts);
  const timecodeOf = (selector: Parameters<typeof selectedTimecode>[1]) => selectedTimecode(facts, selector);
  const common = { timing, extras };
  const seen =
    picture &&
    applyVideoFilters(video, undefined, { ...common, picture, source: picture, timecodeOf, path: `${path}.video` });
  const heard = audio
    ? facts.audio.map((sound, track) =>
        applyAudioFilters(audio, undefined, {
          ...common,
          ...{ sound, track, trackIndex: sound.index, before: [], isWhole: timing.isWhole, path: `${path}.audio` },
        }),
      )
    : [];
  const passed = [...(seen ? [seen] : []), ...heard];
  const replaced = <T extends { readonly index: number }>(stream: T, list: readonly { readonly facts: T }[]): T =>
    list.find((each) => each.facts.index === stream.index)?.facts ?? stream;
  return {
    ...source,
    tracks: source.tracks.map((track) => ({
      ...track,
      filters: [...track.filters, ...(passed.find((each) => each.facts.index === track.index)?.filters ?? [])],
    })),
    facts: {
      ...facts,
      video: facts.video.map((each) => replaced(each, seen ? [seen] : [])),
      audio: facts.audio.map((each) => replaced(each, heard)),
    },
    // A filtered track differs from the one in the file.
    timing: { ...timing, isWhole: timing.isWhole && passed.every(({ filters }) => filters.length === 0) },
  };
};

type Programme = NonNullable<SourcePipeline["multi_track_audio_processing"]>[number];

/** Channels of several tracks side by side go through filters as one programme, and back to their tracks. */
const withProgramme = (
  source: VirtualSource,
  { source: from, filters }: Programme,
  extras: ExtrasBook,
  path: string,
) => {
  const request = {
    from: from.map(({ track, channel }) => ({ track, ...(channel !== undefined && { channel }) })),
    path,
  };
  const mixed = withMixes(source, [request]);
  const [mix] = mixed.mixes ?? [];
  const sound = mix?.facts ?? source.facts.audio[from[0]?.track ?? 0];
  if (!sound) return source;
  const made = applyAudioFilters(filters, undefined, {
    ...{ timing: source.timing, extras: extras.of(mixed), sound, trackIndex: sound.index, before: [] },
    ...{ isWhole: false, path: `${path}.filters` },
  });
  return backToTracks(source, mixed, request.from, {
    facts: { ...made.facts, index: sound.index },
    filters: made.filters,
  });
};

type Channel = { readonly track: number; readonly channel?: number };
type Made = { readonly facts: AudioFacts; readonly filters: readonly Filter[] };

const backToTracks = (
  source: VirtualSource,
  mixed: VirtualSource,
  from: readonly Channel[],
  made: Made,
): VirtualSource => {
  const { audio } = source.facts;
  const programme = audio.length;
  const channels = from.flatMap(({ track, channel }) =>
    channel === undefined
      ? Array.from({ length: audio[track]?.channels ?? 0 }, (_, at) => ({ track, channel: at }))
      : [{ track, channel }],
  );
  const whole = {
    ...mixed,
    tracks: mixed.tracks.map((track) =>
      track.index === made.facts.index ? { ...track, filters: [...track.filters, ...made.filters] } : track,
    ),
    facts: { ...mixed.facts, audio: [...audio, made.facts] },
  };
  const sounds = audio.map(({ channels: count, language }, track) => ({
    ...(language !== undefined && { language }),
    path: "",
    from: Array.from({ length: count }, (_, channel) => {
      const at = channels.findIndex((each) => each.track === track && each.channel === channel);
      return at === -1 ? { track, channel } : { track: programme, channel: at };
    }),
  }));
  const { mixes: _mixes, ...back } = withSounds(whole, sounds);
  return { ...back, timing: { ...source.timing, isWhole: false } };
};
