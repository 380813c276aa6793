import { z } from "zod";
import { edit } from "./mp4-edits.ts";
import { rational } from "./rational.ts";

/**
 * What is known about one media file: ffprobe's findings, made exact. Durations and start times are seconds as
 * rationals; a field that the container does not tell is absent.
 */
const stream = {
  index: z.number().int().nonnegative(),
  /** The container's own number of the track: PID, track id. */
  id: z.number().int().nonnegative().optional(),
  codec: z.string(),
  profile: z.string().optional(),
  timeBase: rational,
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: z.number().optional(),
  language: z.string().optional(),
  title: z.string().optional(),
  timecode: z.string().optional(),
  /** What an MP4 or QuickTime file shows of the track, where it has a list of edits. */
  edits: z.array(edit).max(1000).optional(),
  /** The program that made it, by its own words. */
  encoder: z.string().optional(),
};

/** What is told of high dynamic range, by the container or within the picture. */
export const hdr = z.strictObject({
  /** `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`, in 1/50000 and in 1/10000 cd/m². */
  masterDisplay: z.string().optional(),
  /** cd/m². */
  maxCll: z.number().optional(),
  maxFall: z.number().optional(),
  dolbyVision: z
    .strictObject({ profile: z.number(), level: z.number().optional(), compatibility: z.number().optional() })
    .optional(),
  /** HDR10+. */
  isDynamic: z.boolean().optional(),
});
export type Hdr = z.output<typeof hdr>;

export const videoFacts = z.strictObject({
  ...stream,
  width: z.number().int(),
  height: z.number().int(),
  pixelFormat: z.string().optional(),
  /** Frames a second that the container promises. */
  frameRate: rational.optional(),
  /** Frames a second found: differs from `frameRate` where the rate varies. */
  averageFrameRate: rational.optional(),
  /** Frames come at other times than the rate that the container promises: some of them were looked at. */
  isVariable: z.literal(true).optional(),
  frames: z.number().int().optional(),
  pixelAspect: rational.optional(),
  fieldOrder: z.string().optional(),
  level: z.number().optional(),
  hasBFrames: z.boolean().optional(),
  hdr: hdr.optional(),
  /** Captions travel within the picture. */
  hasCaptions: z.boolean().optional(),
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
  /** Samples that its encoder put before the first one that is meant to be heard. */
  priming: z.number().int().positive().optional(),
});
export type AudioFacts = z.output<typeof audioFacts>;

export const otherFacts = z.strictObject({
  ...stream,
  /** `subtitle`, `data`, `attachment`. */
  kind: z.string(),
  /** Shown whatever the viewer asks for; made for who cannot hear. */
  isForced: z.boolean().optional(),
  isForDeaf: z.boolean().optional(),
});

/** Where a timecode may hide: the container's own, MXF's packages, the picture's groups, its messages. */
export const timecodeKinds = ["container", "material_package", "source_package", "gop", "smpte"] as const;

export const mediaFacts = z.strictObject({
  format: z.string(),
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: z.number().optional(),
  size: z.number().int().nonnegative(),
  /** The timecode of the first frame: the first one that was found. */
  timecode: z.string().optional(),
  /** Every timecode that the file has, and where it hides. */
  timecodes: z.array(z.strictObject({ kind: z.enum(timecodeKinds), value: z.string() })).optional(),
  /** Chapters of a file, sections of a sequence: seconds from zero. */
  sections: z.array(z.strictObject({ from: rational, to: rational, title: z.string().optional() })).optional(),
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

/** Pictures numbered in a row that are one clip; their address holds one `%d` or `%0Nd`. */
export const imageSequence = z.strictObject({
  first: z.number().int().nonnegative(),
  /** Pictures without a gap from the first on; absent: not counted yet. */
  count: z.number().int().positive().optional(),
  rate: rational,
});
export type ImageSequence = z.output<typeof imageSequence>;

export const assetFile = z.strictObject({
  uri: z.string(),
  size: z.number().int().nonnegative().optional(),
  /** Milliseconds since 1970. */
  modified: z.number().optional(),
  facts: mediaFacts.optional(),
  /** Its bytes, joined from those of several files; the address is then only a name. */
  pieces: z.array(piece).min(1).max(20_000).optional(),
  images: imageSequence.optional(),
});
export type AssetFile = z.output<typeof assetFile>;

/** Pictures of one colour, and silence. */
export const generated = z.strictObject({
  video: z
    .strictObject({
      width: z.number().int(),
      height: z.number().int(),
      rate: rational,
      pixelFormat: z.string().optional(),
      color: z.string(),
    })
    .optional(),
  audio: z.array(z.strictObject({ channels: z.number().int(), sampleRate: z.number().int() })).max(64),
});
export type Generated = z.output<typeof generated>;

/** A share of a section: an excerpt of a file, or something generated, which lasts as long as its range. */
export const part = z.strictObject({
  /** Which of the asset's files. */
  file: z.number().int().nonnegative().optional(),
  generated: generated.optional(),
  range: range.optional(),
});
export type Part = z.output<typeof part>;

const streamOfPart = { part: z.number().int().nonnegative(), stream: z.number().int().nonnegative() };

/** One whole stream, or single channels in their order; nothing at all is silence. Streams are named by their index. */
export const sound = z.strictObject({
  language: z.string().optional(),
  from: z.array(z.strictObject({ ...streamOfPart, channel: z.number().int().nonnegative().optional() })).max(64),
});
export type Sound = z.output<typeof sound>;

/** Parts that play at the same time, all from the section's beginning, and what is seen and heard of them. */
export const section = z.strictObject({
  uid: z.string().optional(),
  parts: z.array(part).min(1),
  /** Absent: the first moving picture of the parts. `none`: none of them. */
  picture: z.union([z.strictObject(streamOfPart), z.literal("none")]).optional(),
  /** Absent: all sound of all parts. */
  sounds: z.array(sound).max(64).optional(),
});
export type Section = z.output<typeof section>;

/** A file of subtitles, captions or metadata that belongs to the source. It is not looked into before it is used. */
export const sidecar = z.strictObject({
  uri: z.string(),
  kind: z.enum(["subtitle", "closed_caption", "metadata"]),
  format: z.string().optional(),
  standard: z.string().optional(),
  language: z.string().optional(),
  category: z.string().optional(),
  syncToTimecode: z.boolean().optional(),
});
export type Sidecar = z.output<typeof sidecar>;

/** How files are read, as far as it changes what comes out. */
export const reading = z.strictObject({
  /** Frames that may be damaged, in all and in a row; more fail the task. */
  maxDecodeErrors: z.number().int().nonnegative().optional(),
  maxSequentialDecodeErrors: z.number().int().nonnegative().optional(),
  /** Read from the beginning, also for a part that lies far behind. */
  noSeek: z.boolean().optional(),
  /** Frames of a varying rate are spread evenly. */
  fixedRate: z.boolean().optional(),
  /** Frames a second of the whole timeline. */
  rate: rational.optional(),
  /** Words for ffmpeg before its input, from the list of those that are allowed. */
  args: z.array(z.string().max(200)).max(100).optional(),
  /** Sound that a target asks for and the source lacks is silence. */
  silence: z.boolean().optional(),
});
export type ReadingRules = z.output<typeof reading>;

/** What flows along connections: one version of some media, one file or many (an image sequence, a playlist). */
export const asset = z.strictObject({
  /** Uid of the target or element that made it. */
  version: z.string(),
  files: z.array(assetFile),
  /** Sections play one after the other. Absent: every file is one. */
  sections: z.array(section).min(1).optional(),
  /** Part of the whole, all sections together. */
  range: range.optional(),
  sidecars: z.array(sidecar).optional(),
  reading: reading.optional(),
  /** What its manifest was, where it came from one: `manifest_decode_strategy` may refuse it. */
  manifest: z.strictObject({ isMaster: z.boolean(), isComplex: z.boolean() }).optional(),
});
export type Asset = z.output<typeof asset>;
