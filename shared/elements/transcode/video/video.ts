import type { VideoFacts } from "../../../asset.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Rational } from "../../../rational.ts";
import type { Conflict } from "../conflict.ts";
import type { VideoTarget } from "./schema.ts";

/** What a codec may look at. */
export type VideoContext = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  /** Where the fields stand in the job, for messages: `uid.payload.targets[0].video`. */
  readonly path: string;
  /** Frames a second that come out. */
  readonly rate: Rational | undefined;
  readonly conflict: Conflict;
};

/** One video codec: a file of its own and a line in the list. */
export type VideoCodec = {
  /** As jobs write it. */
  readonly name: string;
  /** As ffprobe names it. */
  readonly probed: string;
  readonly encoder: string;
  /** Fields of `encoderFields` that it reads; any other one contradicts the codec. */
  readonly reads: readonly EncoderField[];
  readonly hasTwoPasses: boolean;
  /** Stills are full range in BT.601, whatever the timeline is. */
  readonly isStill: boolean;
  /** Takes the fields of an interlaced source as they are. */
  readonly keepsFields?: boolean;
  readonly pixelFormats: readonly string[];
  /** The pixel format where the job names none. */
  readonly pixelFormat: (context: VideoContext) => string;
  readonly options: (context: VideoContext) => Options;
};

export const rateFields = [
  ...["bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb", "vbv_buffer_size_kb", "crf"],
  ...["vbv_init_occupancy_kb"],
] as const;

export const gopFields = [
  ...["max_bframes", "refs", "use_closed_gop", "min_gop_frames", "max_gop_frames", "exact_gop_frames"],
  ...["min_keyframe_interval_sec", "max_keyframe_interval_sec", "exact_keyframe_interval_sec", "idr_interval"],
  ...["use_scene_detection"],
] as const;

/** Fields that are for some encoders only. */
export const encoderFields = [
  ...rateFields,
  ...gopFields,
  ...([
    "profile",
    "level",
    "preset",
    "tune",
    "hrd_signaling",
    "qscale",
    "vtag",
    "x264_options",
    "x265_options",
  ] as const),
] as const;
export type EncoderField = (typeof encoderFields)[number];
