import { z } from "zod";
import { addressText, foreignText, instant, measured } from "../basics/bounds.ts";
import { rational } from "../basics/rational.ts";
import { edit } from "./edit-list.ts";
import { layer } from "./layer.ts";

/** Pixels: larger pictures are none that a tool here could open. */
const pictureSide = z.number().int().positive().max(65_536);

/** Frames per second. A node that reports a rate of 0/1 has reported no rate. */
const rate = rational
  .refine(({ num }) => num > 0)
  .optional()
  .catch(undefined);

/**
 * The facts of one media file: ffprobe's findings, made exact. Durations and start times are seconds as rationals;
 * fields that the container does not report are absent.
 */
const stream = {
  index: z.number().int().nonnegative(),
  /** The container's own track number: PID or track id. */
  id: z.number().int().nonnegative().optional(),
  codec: foreignText,
  profile: foreignText.optional(),
  timeBase: rational,
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: measured.optional(),
  language: foreignText.optional(),
  title: foreignText.optional(),
  timecode: foreignText.optional(),
  /** The edit list of the track, in an MP4 or QuickTime file that has one. */
  edits: z.array(edit).max(1000).optional(),
  /** How long the media of the track last, where the edit list shows less. */
  mediaDuration: rational.optional(),
  /** The encoder's name, as written in the file. */
  encoder: foreignText.optional(),
};

/** HDR metadata, from the container or the video stream. */
export const hdr = z.strictObject({
  /** `G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)`, in 1/50000 and in 1/10000 cd/m². */
  masterDisplay: foreignText.optional(),
  /** cd/m². */
  maxCll: measured.optional(),
  maxFall: measured.optional(),
  dolbyVision: z
    .strictObject({ profile: measured, level: measured.optional(), compatibility: measured.optional() })
    .optional(),
  /** HDR10+. */
  isDynamic: z.boolean().optional(),
});
export type Hdr = z.output<typeof hdr>;

export const videoFacts = z.strictObject({
  ...stream,
  width: pictureSide,
  height: pictureSide,
  pixelFormat: foreignText.optional(),
  /** The nominal frame rate, from the container. */
  frameRate: rate,
  /** The measured frame rate: differs from `frameRate` if the rate varies. */
  averageFrameRate: rate,
  /** The sampled frames do not follow the nominal rate. */
  isVariable: z.literal(true).optional(),
  frames: z.number().int().optional(),
  pixelAspect: rational.optional(),
  fieldOrder: foreignText.optional(),
  level: measured.optional(),
  hasBFrames: z.boolean().optional(),
  hdr: hdr.optional(),
  /** The video stream contains closed captions. */
  hasCaptions: z.boolean().optional(),
  colorRange: foreignText.optional(),
  colorSpace: foreignText.optional(),
  colorPrimaries: foreignText.optional(),
  colorTransfer: foreignText.optional(),
  /** Cover art of an audio file, not video. */
  isCover: z.boolean().optional(),
});
export type VideoFacts = z.output<typeof videoFacts>;

export const audioFacts = z.strictObject({
  ...stream,
  channels: z.number().int().positive().max(1024),
  layout: foreignText.optional(),
  sampleRate: z.number().int().positive().max(100_000_000),
  bitsPerSample: z.number().int().optional(),
  /** Priming samples that the encoder put before the first real one. */
  priming: z.number().int().positive().optional(),
});
export type AudioFacts = z.output<typeof audioFacts>;

export const otherFacts = z.strictObject({
  ...stream,
  /** `subtitle`, `data`, `attachment`. */
  kind: foreignText,
  /** Always shown; made for deaf and hard-of-hearing viewers. */
  isForced: z.boolean().optional(),
  isForDeaf: z.boolean().optional(),
});

/** Where a timecode may be stored: container, MXF packages, GOP headers, SEI messages. */
export const timecodeKinds = ["container", "material_package", "source_package", "gop", "smpte"] as const;

export const mediaFacts = z.strictObject({
  format: foreignText,
  start: rational.optional(),
  duration: rational.optional(),
  bitRate: measured.optional(),
  size: z.number().int().nonnegative(),
  /** What an MP4 or QuickTime file says it is, and what else it conforms to. */
  brand: foreignText.optional(),
  compatibleBrands: z.array(foreignText).max(50).optional(),
  /** Whether an MP4 or QuickTime file can be played while it arrives, because its index comes first. */
  isStreamable: z.boolean().optional(),
  /** The program that wrote the file, and when it was encoded, as the file tells. */
  writer: foreignText.optional(),
  encoded: foreignText.optional(),
  /** Seconds since midnight at which a broadcast wave file says that its sound begins. */
  sinceMidnight: rational.optional(),
  /** The timecode of the first frame: the first one found. */
  timecode: foreignText.optional(),
  /** Every timecode in the file, and where it is stored. */
  timecodes: z
    .array(z.strictObject({ kind: z.enum(timecodeKinds), value: foreignText }))
    .max(1000)
    .optional(),
  /** Chapters of a file, sections of a sequence: seconds from zero. */
  sections: z
    .array(z.strictObject({ from: rational, to: rational, title: foreignText.optional() }))
    .max(100_000)
    .optional(),
  /** What reading a transport or program stream through showed of its clock; absent for other files. */
  clock: z
    .strictObject({
      /** How often it jumps. Times and durations above are those without the jumps. */
      jumps: z.number().int().nonnegative(),
      /** Seconds, rounded up, between pictures that decoding may begin with. */
      longestGroup: z.number().int().nonnegative().optional(),
    })
    .optional(),
  video: z.array(videoFacts).max(10_000),
  audio: z.array(audioFacts).max(10_000),
  others: z.array(otherFacts).max(10_000),
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

/** A byte range of one file; without a range, the whole file. */
export const piece = z.strictObject({
  uri: addressText,
  from: z.number().int().nonnegative().optional(),
  length: z.number().int().nonnegative().optional(),
});
export type Piece = z.output<typeof piece>;

/** A sequence of numbered images; its address contains one `%d` or `%0Nd`. */
export const imageSequence = z.strictObject({
  first: z.number().int().nonnegative(),
  /** The number of consecutive images from the first on. Absent: not counted yet. */
  count: z.number().int().positive().optional(),
  rate: rational,
});
export type ImageSequence = z.output<typeof imageSequence>;

/** Of all bytes of a file. */
export const checksum = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hexadecimal digits');

export const assetFile = z.strictObject({
  uri: addressText,
  size: z.number().int().nonnegative().optional(),
  /** Of a file that a task made; absent where it was copied without being read. */
  checksum: checksum.optional(),
  /** Unix milliseconds, within the range of a date. */
  modified: instant.optional(),
  facts: mediaFacts.optional(),
  /** The byte ranges that are joined to form it; the address is then only a name. */
  pieces: z.array(piece).min(1).max(20_000).optional(),
  images: imageSequence.optional(),
});
export type AssetFile = z.output<typeof assetFile>;

/** Generated media: solid-colour video, and silence. */
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

/** A part of a section: an excerpt of a file, or generated media as long as its range. */
export const part = z.strictObject({
  /** The index of the file in the asset. */
  file: z.number().int().nonnegative().optional(),
  generated: generated.optional(),
  range: range.optional(),
});
export type Part = z.output<typeof part>;

const streamOfPart = { part: z.number().int().nonnegative(), stream: z.number().int().nonnegative() };

/** One whole stream, or single channels in order; an empty list is silence. Streams are named by index. */
export const sound = z.strictObject({
  language: z.string().optional(),
  from: z.array(z.strictObject({ ...streamOfPart, channel: z.number().int().nonnegative().optional() })).max(64),
});
export type Sound = z.output<typeof sound>;

/** Parts that play at the same time from the section's beginning, and which of their streams are used. */
export const section = z.strictObject({
  uid: z.string().optional(),
  parts: z.array(part).min(1),
  /** Absent: the first video of the parts. `none`: no video. */
  picture: z.union([z.strictObject(streamOfPart), z.literal("none")]).optional(),
  /** Absent: all audio of all parts. */
  sounds: z.array(sound).max(64).optional(),
});
export type Section = z.output<typeof section>;

/** A file of subtitles, captions or metadata that belongs to the source. It is not opened before it is used. */
export const sidecar = z.strictObject({
  uri: z.string(),
  kind: z.enum(["subtitle", "closed_caption", "metadata"]),
  format: z.string().optional(),
  standard: z.string().optional(),
  language: z.string().optional(),
  category: z.string().optional(),
  syncToTimecode: z.boolean().optional(),
  /** Seconds of the timeline at which what it belongs to begins; texts in timecode begin with the timeline's. */
  beginSec: z.number().positive().optional(),
});
export type Sidecar = z.output<typeof sidecar>;

/** Options for reading files that change the result. */
export const reading = z.strictObject({
  /** How many frames may be damaged, in total and in sequence; more fail the task. */
  maxDecodeErrors: z.number().int().nonnegative().optional(),
  maxSequentialDecodeErrors: z.number().int().nonnegative().optional(),
  /** Decode from the beginning instead of seeking. */
  noSeek: z.boolean().optional(),
  /** Convert a variable frame rate to a constant one. */
  fixedRate: z.boolean().optional(),
  /** The frame rate of the whole timeline. */
  rate: rational.optional(),
  /** Allowed ffmpeg arguments before the input. */
  args: z.array(z.string().max(200)).max(100).optional(),
  /** Use silence for audio tracks that a target needs and the source lacks. */
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
  /** The range of all sections together that is used. */
  range: range.optional(),
  sidecars: z.array(sidecar).optional(),
  /** Properties from its target that its file does not contain. */
  layer: layer.optional(),
  reading: reading.optional(),
  /** Seconds for which nodes keep their copies of its remote files. */
  cacheSec: z.number().positive().optional(),
  /** The kind of manifest it came from, if any: `manifest_decode_strategy` may refuse it. */
  manifest: z.strictObject({ isMaster: z.boolean(), isComplex: z.boolean() }).optional(),
});
export type Asset = z.output<typeof asset>;
