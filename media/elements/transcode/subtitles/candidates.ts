import { parseRational, ratio, subtract, toNumber } from "../../../../shared/basics/rational.ts";
import type { Sidecar, VideoFacts } from "../../../../shared/model/asset.ts";
import { capabilityError } from "../../../../shared/model/failure.ts";
import { languageOf } from "../../../formats/language.ts";
import { constantRate, mainVideo } from "../../../formats/stream-timing.ts";
import { addToTimecode, timecodeToClock } from "../../../formats/timecode.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { TextPlace } from "../recipe.ts";

/** Subtitles that the source has: a file beside it, a track in it, or captions in its picture. */
export type Candidate = {
  readonly language: string | undefined;
  readonly category: string;
  readonly from: TextPlace;
} & TextBegin;

/** The time in a text, in milliseconds, at which the timeline begins. */
export type TextBegin = {
  readonly begin: number;
  /** The text counts in timecode: what that of the media's first frame shows. */
  readonly clock?: number;
  /** The same for a text of which nobody says so. */
  readonly shown?: number;
};

const textCodecs = /^(subrip|srt|mov_text|webvtt|ass|ssa|ttml|text|eia_608)$/;

/** Whether ffmpeg reads a track of this codec as text. */
export const isTextCodec = (codec: string): boolean => textCodecs.test(codec);

/** Every one that is text, files first. `start` is the second of the source at which the timeline begins. */
export const findTextCandidates = (source: VirtualSource, sidecars: readonly Sidecar[], start: number): Candidate[] => [
  ...sidecars.flatMap((sidecar): Candidate[] => {
    if (sidecar.kind === "metadata") return [];
    const { uri, language, category = "default" } = sidecar;
    const clock = { timecode: source.facts.timecode, video: mainVideo(source.facts), start };
    return [{ language: languageOf(language), category, from: { uri }, ...beginOf(sidecar, clock) }];
  }),
  ...tracksOf(source),
  ...captionsOf(source),
];

type SourceClock = {
  /** Of the timeline's first frame. */
  readonly timecode: string | undefined;
  readonly video: VideoFacts | undefined;
  /** Seconds of the source at which the timeline begins. */
  readonly start: number;
};

/**
 * Where a text of its own begins. Texts in timecode begin at what that of the media shows: an hour means an hour on the
 * text's clock, however long it lasts at the media's rate.
 */
export const beginOf = (sidecar: Sidecar, { timecode, video, start }: SourceClock): TextBegin => {
  const { syncToTimecode, beginSec = 0 } = sidecar;
  const rate = video && (constantRate(video) ?? video.averageFrameRate);
  const plain = { begin: Math.round((start - beginSec) * 1000) };
  if (!rate || timecode === undefined) return plain;
  const first = addToTimecode(timecode, parseRational((-start).toFixed(6)) ?? ratio(0), rate);
  const shown = timecodeToClock(first, rate);
  if (!shown) return plain;
  const clock = Math.round(toNumber(shown) * 1000);
  return syncToTimecode ? { begin: Math.round(clock + start * 1000), clock } : { ...plain, shown: clock };
};

const tracksOf = ({ facts, inputs }: VirtualSource): Candidate[] => {
  const [input, second] = inputs;
  const tracks = facts.others.filter(({ kind, codec }) => kind === "subtitle" && textCodecs.test(codec));
  if (!input || second) return [];
  // ffmpeg counts from the file's first stamp, the timeline from its own.
  const begin = Math.round(toNumber(subtract(input.origin, input.start)) * 1000);
  return tracks.map(({ index, codec, language, isForced, isForDeaf }) => ({
    language: languageOf(language),
    category: isForced ? "forced" : isForDeaf ? "sdh" : "default",
    // SRT keeps what all forms have in common, but only ASS tells on which row a caption stands.
    from: { uri: input.uri, stream: index, form: codec === "eia_608" ? "ass" : "srt" },
    begin,
  }));
};

/** Captions in the picture of a plain file; ffmpeg counts their times from the first picture. */
export const captionsOf = ({ facts, inputs, tracks }: VirtualSource): Candidate[] => {
  const [input, second] = inputs;
  const picture = mainVideo(facts);
  const [stream] = tracks.find(({ index }) => index === picture?.index)?.streams ?? [];
  if (!input || second || input.pieces || !stream || !picture?.hasCaptions) return [];
  const [, start = input.start] = input.streamStarts.find(([index]) => index === stream.stream) ?? [];
  const begin = Math.round(toNumber(subtract(input.origin, start)) * 1000);
  const [demuxer = ""] = input.format.split(",");
  return [{ language: undefined, category: "default", from: { uri: input.uri, demuxer }, begin }];
};

const unreadable = /\.(sup|sub|idx|cap|pac)$/i;

/** Throws `capability` for a file whose form nothing here reads. */
export const refuseUnreadable = (uri: string, path: string): void => {
  const ending = unreadable.exec(uri)?.[1];
  if (!ending) return;
  throw capabilityError(
    `${path}: subtitles in files ending in ".${ending}" are not implemented; webvtt, srt, ttml, ass, scc, mcc and stl are`,
  );
};
