import type { Rational } from "../../shared/basics/rational.ts";
import type { AudioFacts, ImageSequence, MediaFacts, Piece, ReadingRules } from "../../shared/model/asset.ts";
import type { Chain, Filter } from "../ffmpeg/filtergraph.ts";

/**
 * The input as one timeline that begins at zero, whether it is one file, an excerpt of it, or many files. Elements plan
 * from `facts` as if the timeline were one file, and their graphs begin with `tracks`.
 */
export type VirtualSource = {
  /** The inputs of ffmpeg, one `-i` each, in order. */
  readonly inputs: readonly SourceInput[];
  readonly tracks: readonly SourceTrack[];
  /** Facts of the timeline: its tracks with their starts and durations, and the timecode of its first frame. */
  readonly facts: MediaFacts;
  /** Additional tracks mixed for a target, by what they are mixed from. */
  readonly mixes?: readonly { readonly key: string; readonly facts: AudioFacts }[];
  readonly timing: Timing;
  readonly reading?: ReadingRules;
};

export type SourceInput = {
  readonly uri: string;
  readonly pieces?: readonly Piece[];
  readonly images?: ImageSequence;
  /** Seconds from the file's own start where reading begins: early enough to decode every wanted frame. */
  readonly seek?: Rational;
  /** The file's time stamp at the timeline's zero. */
  readonly origin: Rational;
  /** The time stamps that ffmpeg counts from: of the file, and of its streams by index. */
  readonly start: Rational;
  readonly streamStarts: readonly (readonly [stream: number, start: Rational])[];
  /** As ffprobe names it. */
  readonly format: string;
  readonly clock?: MediaFacts["clock"];
};

/** A stream of an input, by ffprobe's index. */
export type SourceStream = { readonly input: number; readonly stream: number };

/** The beginning of a graph: chains that come first, and one that is still open at its end. */
export type Feed = {
  readonly streams: readonly SourceStream[];
  readonly before: readonly Chain[];
  /** Labels; none if the first filter is itself a source. */
  readonly from: readonly string[];
  readonly filters: readonly Filter[];
};

/** A track of the timeline, by its index in the facts. */
export type SourceTrack = Feed & { readonly index: number };

export type Timing = {
  /** Seconds; absent if no container reports it. */
  readonly duration?: Rational;
  /** Of a section: when it begins. Its time stamps are those of the whole. Absent: zero. */
  readonly begin?: Rational;
  /** How far a frame's time stamp may be from its due time and still match. */
  readonly slack: Rational;
  /** Whether frames are on multiples of their duration, so that they can be counted instead of timed. */
  readonly isRegular: boolean;
  /** Whether every packet of the file is used: only then can streams be copied unchanged. */
  readonly isWhole: boolean;
};
