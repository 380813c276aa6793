import type { AudioFacts, MediaFacts, Range, VideoFacts } from "../asset.ts";
import { ratio } from "../rational.ts";
import { laterTimecode } from "../timecode.ts";
import { cut, placeOf, type Stretch, stretchOf } from "./stretch.ts";
import type { SourceInput, SourceTrack, VirtualSource } from "./virtual-source.ts";
import { constantRate, mainVideo } from "./zero.ts";

type File = { readonly uri: string; readonly facts: MediaFacts; readonly range?: Range };

/** One file, or the part of it that a range says, as a film. Tracks keep the file's indices. */
export const virtualSourceOfFile = ({ uri, facts, range }: File, what: string): VirtualSource => {
  const stretch = stretchOf(range, facts, what);
  const { slack, isRegular, duration, from, length } = stretch;
  const tracks = [
    ...facts.video.map(({ index }) => trackOf(index, "trim", stretch)),
    ...facts.audio.map(({ index }) => trackOf(index, "atrim", stretch)),
  ];
  return {
    inputs: [inputOf(uri, facts, stretch)],
    tracks,
    facts: factsOfStretch(facts, stretch),
    timing: { duration, slack, isRegular, isWhole: from.num === 0 && !length },
  };
};

const inputOf = (uri: string, facts: MediaFacts, { seek, origin }: Stretch): SourceInput => ({
  ...{ uri, seek, origin, format: facts.format, start: facts.start ?? ratio(0) },
  streamStarts: [...facts.video, ...facts.audio].flatMap(({ index, start }) =>
    start ? [[index, start] as const] : [],
  ),
});

const trackOf = (index: number, name: "trim" | "atrim", stretch: Stretch): SourceTrack => ({
  index,
  input: 0,
  stream: index,
  filters: cut(name, stretch),
});

const factsOfStretch = (facts: MediaFacts, stretch: Stretch): MediaFacts => {
  const placed = <T extends VideoFacts | AudioFacts>(stream: T): T => ({
    ...stream,
    ...placeOf(stream, stretch, facts),
    timecode: later(stream.timecode),
  });
  const video = mainVideo(facts);
  const rate = video && (constantRate(video) ?? video.averageFrameRate);
  const later = (text: string | undefined) => text && rate && laterTimecode(text, stretch.from, rate);
  return {
    ...facts,
    start: ratio(0),
    duration: stretch.duration,
    timecode: later(facts.timecode),
    video: facts.video.map(placed),
    audio: facts.audio.map(placed),
  };
};
