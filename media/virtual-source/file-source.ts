import { add, ratio, toFraction } from "../../shared/basics/rational.ts";
import type { AssetFile, AudioFacts, MediaFacts, Range, VideoFacts } from "../../shared/model/asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import { hideMatrix } from "../ffmpeg/scaler-matrix.ts";
import { asShown, constantRate, lateBy, mainVideo } from "../formats/stream-timing.ts";
import { addToTimecode } from "../formats/timecode.ts";
import { inUsualOrder } from "./channel-order.ts";
import { buildExcerpt, type Excerpt, placeOf, placeOfSection, trimFilters } from "./excerpt.ts";
import { onSampleGrid } from "./sample-grid.ts";
import type { Feed, SourceInput, SourceStream, Timing, VirtualSource } from "./virtual-source.ts";

type File = Pick<AssetFile, "uri" | "pieces" | "images"> & { readonly facts: MediaFacts; readonly range?: Range };

/** One file, or the part of it within a range, as a timeline. Tracks keep the file's indices. */
export const buildFileSource = (file: File, what: string): VirtualSource => {
  const { facts, range } = file;
  const excerpt = buildExcerpt(range, facts, what);
  const track = (index: number, name: "trim" | "atrim") => ({
    index,
    ...feedOfStream({ input: 0, stream: index }, name, excerpt, facts),
  });
  return {
    inputs: [inputOf(file, excerpt)],
    tracks: [
      ...facts.video.map(({ index }) => track(index, "trim")),
      ...facts.audio.map(({ index }) => track(index, "atrim")),
    ],
    facts: factsOfExcerpt(facts, excerpt),
    timing: timingOf(excerpt),
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
  ...(facts.clock && { clock: facts.clock }),
  start: facts.start ?? ratio(0),
  streamStarts: [...facts.video, ...facts.audio].flatMap(({ index, start }) =>
    start ? [[index, start] as const] : [],
  ),
});

/** When the excerpt plays. */
export const timingOf = ({ slack, isRegular, duration, from, length }: Excerpt): Timing => ({
  slack,
  isRegular,
  duration,
  isWhole: from.num === 0 && !length,
});

/** A stream as it is in its file, cut to the excerpt. */
export const feedOfStream = (
  stream: SourceStream,
  name: "trim" | "atrim",
  excerpt: Excerpt,
  { video, audio }: MediaFacts,
): Feed => {
  const sound = name === "atrim" ? audio.find(({ index }) => index === stream.stream) : undefined;
  const picture = name === "trim" ? video.find(({ index }) => index === stream.stream) : undefined;
  return {
    streams: [stream],
    before: [],
    from: [`${stream.input}:${stream.stream}`],
    filters: [
      ...hideMatrix(picture?.colorSpace),
      ...(sound ? [...inUsualOrder(sound).filters, ...onSampleGrid(sound, excerpt)] : []),
      ...inTime(picture, trimFilters(name, excerpt)),
    ],
  };
};

/** Moves pictures that ffmpeg has too early, which makes it forget how long each of them lasts. */
const inTime = (picture: VideoFacts | undefined, cut: readonly Filter[]): readonly Filter[] => {
  const late = picture && lateBy(picture);
  const rate = picture && constantRate(picture);
  if (!late || !rate) return cut;
  const later = { name: "setpts", options: { expr: `PTS+round(${toFraction(late)}/TB)` } };
  return [later, ...cut, { name: "fps", options: { fps: toFraction(rate) } }];
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
  const later = (text: string | undefined) => text && rate && addToTimecode(text, excerpt.from, rate);
  return {
    ...facts,
    start: ratio(0),
    duration: excerpt.duration,
    sinceMidnight: facts.sinceMidnight && add(facts.sinceMidnight, excerpt.from),
    timecode: later(facts.timecode),
    timecodes: facts.timecodes?.map(({ kind, value }) => ({ kind, value: later(value) ?? value })),
    sections: facts.sections?.flatMap((section) => placeOfSection(section, excerpt)),
    video: facts.video.map((each) => placed(asShown(each))),
    audio: facts.audio.map(placed).map((sound) => inUsualOrder(sound).facts),
  };
};
