import type { AssetFile, AudioFacts, MediaFacts, Range, VideoFacts } from "../asset.ts";
import { ratio } from "../rational.ts";
import { laterTimecode } from "../timecode.ts";
import { cut, type Excerpt, excerptOf, placeOf, placeOfSection } from "./excerpt.ts";
import { onSampleGrid } from "./sample-grid.ts";
import type { Feed, SourceInput, SourceStream, VirtualSource } from "./virtual-source.ts";
import { constantRate, mainVideo } from "./zero.ts";

type File = Pick<AssetFile, "uri" | "pieces" | "images"> & { readonly facts: MediaFacts; readonly range?: Range };

/** One file, or the part of it within a range, as a timeline. Tracks keep the file's indices. */
export const virtualSourceOfFile = (file: File, what: string): VirtualSource => {
  const { facts, range } = file;
  const excerpt = excerptOf(range, facts, what);
  const { slack, isRegular, duration, from, length } = excerpt;
  const tracks = [
    ...facts.video.map(({ index }) => ({
      index,
      ...feedOfStream({ input: 0, stream: index }, "trim", excerpt, facts),
    })),
    ...facts.audio.map(({ index }) => ({
      index,
      ...feedOfStream({ input: 0, stream: index }, "atrim", excerpt, facts),
    })),
  ];
  return {
    inputs: [inputOf(file, excerpt)],
    tracks,
    facts: factsOfExcerpt(facts, excerpt),
    timing: { duration, slack, isRegular, isWhole: from.num === 0 && !length },
  };
};

/** How ffmpeg opens a file for an excerpt of it. */
export const inputOf = ({ uri, pieces, images, facts }: File, { seek, origin }: Excerpt): SourceInput => ({
  uri,
  pieces,
  images,
  seek,
  origin,
  format: facts.format,
  start: facts.start ?? ratio(0),
  streamStarts: [...facts.video, ...facts.audio].flatMap(({ index, start }) =>
    start ? [[index, start] as const] : [],
  ),
});

/** A stream as it is in its file, cut to the excerpt. */
export const feedOfStream = (
  stream: SourceStream,
  name: "trim" | "atrim",
  excerpt: Excerpt,
  { audio }: MediaFacts,
): Feed => {
  const sound = name === "atrim" ? audio.find(({ index }) => index === stream.stream) : undefined;
  return {
    streams: [stream],
    before: [],
    from: [`${stream.input}:${stream.stream}`],
    filters: [...(sound ? onSampleGrid(sound, excerpt) : []), ...cut(name, excerpt)],
  };
};

/** The facts of the excerpt alone, with its first instant as zero. */
export const factsOfExcerpt = (facts: MediaFacts, excerpt: Excerpt): MediaFacts => {
  const placed = <T extends VideoFacts | AudioFacts>(stream: T): T => ({
    ...stream,
    ...placeOf(stream, excerpt, facts),
    timecode: later(stream.timecode),
  });
  const video = mainVideo(facts);
  const rate = video && (constantRate(video) ?? video.averageFrameRate);
  const later = (text: string | undefined) => text && rate && laterTimecode(text, excerpt.from, rate);
  return {
    ...facts,
    start: ratio(0),
    duration: excerpt.duration,
    timecode: later(facts.timecode),
    timecodes: facts.timecodes?.map(({ kind, value }) => ({ kind, value: later(value) ?? value })),
    sections: facts.sections?.flatMap((section) => placeOfSection(section, excerpt)),
    video: facts.video.map(placed),
    audio: facts.audio.map(placed),
  };
};
