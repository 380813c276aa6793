import type { MediaFacts } from "../asset.ts";
import type { Filter } from "../ffmpeg/filtergraph.ts";
import type { Rational } from "../rational.ts";

/**
 * What goes in, as one film that begins at zero, whatever it is made of: one file, a stretch of it, or many. Elements
 * plan from `facts` as if the film were one file, and their graphs begin with `tracks`.
 */
export type VirtualSource = {
  /** What ffmpeg opens, one `-i` each, in their order. */
  readonly inputs: readonly SourceInput[];
  readonly tracks: readonly SourceTrack[];
  /** Facts of the film: its tracks, their starts and durations on its own timeline, the timecode of its first frame. */
  readonly facts: MediaFacts;
  readonly timing: Timing;
};

export type SourceInput = {
  readonly uri: string;
  /** Seconds from the file's own start where reading begins: early enough to decode every frame that is wanted. */
  readonly seek?: Rational;
  /** The file's stamp that falls on the film's zero. */
  readonly origin: Rational;
  /** The stamps that ffmpeg counts from: of the file and of its streams by their index. */
  readonly start: Rational;
  readonly streamStarts: readonly (readonly [stream: number, start: Rational])[];
  /** As ffprobe names it. */
  readonly format: string;
};

/** A track of the film, by the index that its facts have: which stream of which input it is, and how it is cut. */
export type SourceTrack = {
  readonly index: number;
  readonly input: number;
  /** ffprobe's index within the input. */
  readonly stream: number;
  readonly filters: readonly Filter[];
};

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

/** The id that an input has among the assets of some work. */
export const assetIdOf = (input: number): string => (input === 0 ? "source" : `source_${input}`);
