import type { VideoFacts } from "../../../asset.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Rational } from "../../../rational.ts";
import type { Conflict } from "../conflict.ts";
import type { Container } from "../containers/container.ts";
import type { Standard } from "../standards/standard.ts";
import type { Scan } from "./fields.ts";
import type { Size } from "./picture.ts";
import type { VideoTarget } from "./schema.ts";

/** What a codec may depend on. */
export type VideoContext = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly container: Pick<Container, "kinds" | "muxer" | "extensions" | "rawFormats">;
  /** The path of the fields in the job, for messages: `uid.payload.targets[0].video`. */
  readonly path: string;
  /** Frames a second of the result. */
  readonly rate: Rational | undefined;
  /** The picture's size and scan. */
  readonly size: Size;
  readonly scan: Scan;
  /** The delivery standard that the target follows. */
  readonly standard?: Standard | undefined;
  /** The timecode of the source's first frame. */
  readonly timecode?: string | undefined;
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
  /** The number of passes that its encoder can use; one if absent. */
  readonly mostPasses?: 2 | 5;
  /** Stills are full range in BT.601, whatever the source is. */
  readonly isStill?: boolean;
  /** The scans that it supports; absent: only progressive. */
  readonly scans?: readonly Scan[];
  readonly pixelFormats: readonly string[];
  /** The pixel format where the job names none; absent or undefined: the nearest to the source's. */
  readonly pixelFormat?: (context: VideoContext) => string | undefined;
  /** The form in which a container takes the samples of the format that the job names; the same where absent. */
  readonly packing?: (format: string, container: VideoContext["container"]) => string;
  /** Throws TaskError for sizes, rates and the like that it does not support. */
  readonly check?: (context: VideoContext, pixelFormat: string) => void;
  readonly options: (context: VideoContext, pixelFormat: string) => Options;
};

export const allScans: readonly Scan[] = ["progressive", "tff", "bff"];

export const rateFields = [
  ...["bitrate_mode", "bitrate_kb", "min_bitrate_kb", "max_bitrate_kb", "vbv_buffer_size_kb", "crf"],
  ...["vbv_init_occupancy_kb"],
] as const;

export const gopFields = [
  ...["max_bframes", "refs", "use_closed_gop", "first_gop_closed", "min_gop_frames", "max_gop_frames"],
  ...["exact_gop_frames", "min_keyframe_interval_sec", "max_keyframe_interval_sec", "exact_keyframe_interval_sec"],
  ...["idr_interval", "use_scene_detection", "forced_keyframes"],
] as const;

const otherFields = [
  ...["profile", "level", "preset", "tune", "hrd_signaling", "qscale", "vtag", "x264_options", "x265_options"],
  ...["slices", "use_cabac", "use_loop_filter", "video_format", "max_available_vbv", "min_available_vbv"],
  "hdr10",
] as const;

/** Fields that only some encoders read. */
export const encoderFields = [...rateFields, ...gopFields, ...otherFields] as const;
export type EncoderField = (typeof encoderFields)[number];
