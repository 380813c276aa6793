import { z } from "zod";
import { rational } from "./rational.ts";

/**
 * What is known about one media file: ffprobe's findings, made exact. Durations and start times are seconds as
 * rationals; a field that the container does not tell is absent.
 */
const stream = {
  index: z.number().int().nonnegative(),
  codec: z.string(),
  profile: z.string().optional(),
  timeBase: rational,
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: z.number().optional(),
  language: z.string().optional(),
  title: z.string().optional(),
  timecode: z.string().optional(),
};

export const videoFacts = z.strictObject({
  ...stream,
  width: z.number().int(),
  height: z.number().int(),
  pixelFormat: z.string().optional(),
  /** Frames a second that the container promises. */
  frameRate: rational.optional(),
  /** Frames a second found: differs from `frameRate` where the rate varies. */
  averageFrameRate: rational.optional(),
  frames: z.number().int().optional(),
  pixelAspect: rational.optional(),
  fieldOrder: z.string().optional(),
  level: z.number().optional(),
  colorRange: z.string().optional(),
  colorSpace: z.string().optional(),
  colorPrimaries: z.string().optional(),
  colorTransfer: z.string().optional(),
  /** A picture inside a music file, not a moving picture. */
  isCover: z.boolean().optional(),
});
export type VideoFacts = z.output<typeof videoFacts>;

export const audioFacts = z.strictObject({
  ...stream,
  channels: z.number().int(),
  layout: z.string().optional(),
  sampleRate: z.number().int(),
  bitsPerSample: z.number().int().optional(),
});
export type AudioFacts = z.output<typeof audioFacts>;

export const otherFacts = z.strictObject({ ...stream, kind: z.string() });

export const mediaFacts = z.strictObject({
  format: z.string(),
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: z.number().optional(),
  size: z.number().int().nonnegative(),
  timecode: z.string().optional(),
  video: z.array(videoFacts),
  audio: z.array(audioFacts),
  others: z.array(otherFacts),
});
export type MediaFacts = z.output<typeof mediaFacts>;

/**
 * Part of a source: seconds from its zero, the end not included. An absent end means the natural one. Ends are moved to
 * the nearest frames, unless they are precise to the sample.
 */
export const range = z.strictObject({
  from: rational,
  to: rational.optional(),
  precision: z.literal("sample").optional(),
});
export type Range = z.output<typeof range>;

/** A run of bytes of one file; without a place all of it. */
export const piece = z.strictObject({
  uri: z.string(),
  from: z.number().int().nonnegative().optional(),
  length: z.number().int().nonnegative().optional(),
});
export type Piece = z.output<typeof piece>;

export const assetFile = z.strictObject({
  uri: z.string(),
  size: z.number().int().nonnegative().optional(),
  /** Milliseconds since 1970. */
  modified: z.number().optional(),
  facts: mediaFacts.optional(),
});
export type AssetFile = z.output<typeof assetFile>;

/** A file's share of a section: which stretch of it plays, and which of its streams. */
export const part = z.strictObject({
  /** Which of the asset's files. */
  file: z.number().int().nonnegative(),
  range: range.optional(),
  /** By ffprobe's index; absent: all of them. */
  streams: z.array(z.number().int().nonnegative()).optional(),
});
export type Part = z.output<typeof part>;

/** Parts that play at the same time, all from the section's beginning. */
export const section = z.strictObject({ parts: z.array(part).min(1) });
export type Section = z.output<typeof section>;

/** What flows along connections: one version of some media, one file or many (an image sequence, a playlist). */
export const asset = z.strictObject({
  /** Uid of the target or element that made it. */
  version: z.string(),
  files: z.array(assetFile).min(1),
  /** Sections play one after the other. Absent: every file is one. */
  sections: z.array(section).min(1).optional(),
  /** Part of the whole, all sections together. */
  range: range.optional(),
});
export type Asset = z.output<typeof asset>;
