import { definitionError } from "../../shared/model/failure.ts";
import { mixedSound } from "./mixed-sound.ts";
import { relabelled } from "./relabel.ts";
import type { SourceTrack, VirtualSource } from "./virtual-source.ts";

/** A track of a timeline's audio by its number, or one channel of it; both counted from 0. */
export type SoundRef = { readonly track: number; readonly channel?: number };

/** A track that is not in the timeline as it is: channels of one or several of its tracks. */
export type TrackRequest = { readonly from: readonly SoundRef[] /** Where it is asked for. */; readonly path: string };

/** Whether a request means something else than one unchanged track. */
export const isMix = (from: readonly SoundRef[]): boolean => from.length > 1 || from[0]?.channel !== undefined;

/** The key of a mix. */
export const mixKey = (from: readonly SoundRef[]): string =>
  from.map(({ track, channel }) => (channel === undefined ? `${track}` : `${track}.${channel}`)).join("+");

/**
 * The timeline with additional mixed tracks: each request once; an entry without a channel means all channels of its
 * track. Throws TaskError `definition` for a track or channel that the timeline lacks.
 */
export const withMixes = (timeline: VirtualSource, requests: readonly TrackRequest[]): VirtualSource => {
  const each = [...new Map(requests.map((request) => [mixKey(request.from), request])).values()];
  const first = Math.max(-1, ...timeline.tracks.map(({ index }) => index)) + 1;
  const made = each.map((request, at) => mixOf(timeline, request, first + at));
  if (made.length === 0) return timeline;
  return {
    ...timeline,
    tracks: [...timeline.tracks, ...made.map(({ track }) => track)],
    mixes: made.map(({ key, facts }) => ({ key, facts })),
  };
};

/** The timeline with these audio tracks instead of its own; a track without inputs is silent. */
export const withSounds = (
  timeline: VirtualSource,
  sounds: readonly (TrackRequest & { readonly language?: string })[],
): VirtualSource => {
  const own = new Set(timeline.facts.audio.map(({ index }) => index));
  const first = Math.max(-1, ...timeline.tracks.map(({ index }) => index)) + 1;
  const made = sounds.map((request, at) => ({ ...mixOf(timeline, request, first + at), language: request.language }));
  return {
    ...timeline,
    tracks: [...timeline.tracks.filter(({ index }) => !own.has(index)), ...made.map(({ track }) => track)],
    facts: {
      ...timeline.facts,
      audio: made.map(({ facts, language }) => ({ ...facts, language: language ?? facts.language })),
    },
  };
};

const mixOf = (timeline: VirtualSource, { from, path }: TrackRequest, index: number) => {
  const refs = isMix(from) ? from.flatMap((ref) => channelsOf(timeline, ref, path)) : from;
  const isOneTrack = refs.every(({ track }) => track === refs[0]?.track);
  const sources = refs.map(({ track, channel }, at) => {
    const { feed, facts } = soundOf(timeline, track, path);
    // A track used by several others is read once per use: each needs its own labels.
    const names = { prefix: isOneTrack ? `m${index}_` : `m${index}_${at}_` };
    return { feed: relabelled(feed, names), facts, channel };
  });
  const { feed, facts } = mixedSound(sources, { label: `mix${index}`, duration: timeline.timing.duration, what: path });
  return { key: mixKey(from), facts: { ...facts, index }, track: { index, ...feed } satisfies SourceTrack };
};

const channelsOf = (timeline: VirtualSource, { track, channel }: SoundRef, path: string): SoundRef[] => {
  const { facts } = soundOf(timeline, track, path);
  if (channel === undefined) return Array.from({ length: facts.channels }, (_, at) => ({ track, channel: at }));
  if (channel < facts.channels) return [{ track, channel }];
  const has = `${facts.channels} channel${facts.channels === 1 ? "" : "s"}`;
  throw definitionError(`${path} takes channel ${channel} of audio track ${track}, which has ${has}`);
};

const soundOf = ({ facts: { audio }, tracks }: VirtualSource, track: number, path: string) => {
  const facts = audio[track];
  const feed = tracks.find(({ index }) => index === facts?.index);
  if (facts && feed) return { facts, feed };
  const has = audio.length === 0 ? "no audio track" : `${audio.length} audio track${audio.length > 1 ? "s" : ""}`;
  throw definitionError(`${path} needs audio track ${track}, the source has ${has}`);
};
