import type { AudioFacts, ImageSequence, MediaFacts, Piece, ReadingRules } from "../asset.ts";
import type { Chain, Filter } from "../ffmpeg/filtergraph.ts";
import type { Rational } from "../rational.ts";

/**
 * The input as one timeline that begins at zero, whether it is one file, an excerpt of it, or many files. Elements
 * plan from `facts` as if the timeline were one file, and their graphs begin with `tracks`.
 */
export type VirtualSource = {
  /** What ffmpeg opens, one `-i` each, in their order. */
  readonly inputs: readonly SourceInput[];
  readonly tracks: readonly SourceTrack[];
  /** Facts of the timeline: its tracks with their starts and durations, and the timecode of its first frame. */
  readonly facts: MediaFacts;
  /** Tracks beside those of the facts, mixed of them for a target that asks for it; by what they are mixed of. */
  readonly mixes?: readonly { readonly key: string; readonly facts: AudioFacts }[];
  readonly timing: Timing;
  readonly reading?: ReadingRules;
};

export type SourceInput = {
  readonly uri: string;
  readonly pieces?: readonly Piece[];
  readonly images?: ImageSequence;
  /** Seconds from the file's own start where reading begins: early enough to decode every frame that is wanted. */
  readonly seek?: Rational;
  /** The file's stamp that falls on the timeline's zero. */
  readonly origin: Rational;
  /** The stamps that ffmpeg counts from: of the file and of its streams by their index. */
  readonly start: Rational;
  readonly streamStarts: readonly (readonly [stream: number, start: Rational])[];
  /** As ffprobe names it. */
  readonly format: string;
};

/** A stream of an input, by ffprobe's index. */
export type SourceStream = { readonly input: number; readonly stream: number };

/** The beginning of a graph: chains that come first, and one that is still open at its end. */
export type Feed = {
  readonly streams: readonly SourceStream[];
  readonly before: readonly Chain[];
  /** Labels; none where the first filter is a source itself. */
  readonly from: readonly string[];
  readonly filters: readonly Filter[];
};

/** A track of the timeline, by the index that its facts have. */
export type SourceTrack = Feed & { readonly index: number };

export type Timing = {
  /** Seconds; absent where no container tells it. */
  readonly duration?: Rational;
  /** How far from its due time a frame may be stamped and still be the one that is meant. */
  readonly slack: Rational;
  /** Whether frames fall on multiples of their duration, so that they can be counted instead of timed. */
  readonly isRegular: boolean;
  /** Whether every packet of the file takes part: only then can streams be copied as they are. */
  readonly isWhole: boolean;
};
