import type { Rational } from "../../../../shared/basics/rational.ts";
import type { Hdr, VideoFacts } from "../../../../shared/model/asset.ts";
import type { Expectation } from "../../../../shared/work/work.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Colors } from "../../../ffmpeg/color.ts";
import type { CodestreamProfile } from "../../../formats/codestream-profile.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import type { Container, Family } from "../containers/container.ts";
import type { StreamRecipe } from "../recipe.ts";
import type { Standard } from "../standards/standard.ts";
import type { Size } from "./picture/picture.ts";
import type { VideoTarget } from "./schema.ts";

/** How the lines of a picture come: all at once, or in two fields, the upper or the lower one first. */
export type Scan = "progressive" | "tff" | "bff";

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
  /** Says in the result what becomes otherwise than the job asks. */
  readonly tell: (sentence: string) => void;
};

/** A container that keeps every time stamp of the encoder's pictures exactly, until the sections are combined. */
export type Carrier = "mov" | "mp4";

/** One video codec: a file of its own and a line in the list. */
export type VideoCodec = {
  /** As jobs write it. */
  readonly name: string;
  /** As ffprobe names it. */
  readonly probed: string;
  readonly encoder: string;
  /** Families of containers that take it, beside those whose own pattern matches it. */
  readonly containers: readonly Family[];
  /** What holds sections of it that several nodes encode; absent: it is encoded in one piece. */
  readonly carrier?: Carrier;
  /** Every picture of it is a key frame. */
  readonly isIntra?: true;
  /** Ticks a second for pictures of a variable rate, where it cannot count those of the usual clock. */
  readonly mostTicks?: number;
  /** Pictures that the encoder keeps at a time, as measured; absent: few, as it does not look ahead. */
  readonly keptPictures?: number;
  /** How much more than one of H.264 a pixel costs; absent: about the same. */
  readonly pixelCost?: number;
  /** Fields of `encoderFields` that it reads; any other one contradicts the codec. */
  readonly reads: readonly EncoderField[];
  /** Values of fields that are lists of names, where it does not know them all. */
  readonly values?: Readonly<Partial<Record<"profile" | "level" | "tune" | "vtag", readonly string[]>>>;
  /** The pixel formats of a profile; absent: all of its own. */
  readonly formatsOf?: (profile: string) => readonly string[];
  /** The number of passes that its encoder can use; one if absent. */
  readonly mostPasses?: 2 | 5;
  /** Its stream says what HDR10 says of a film; absent: only the boxes of a file may. */
  readonly hasHdr10?: true;
  readonly isStill?: boolean;
  /** Its numbers have one meaning, which no tag can change: readers of JPEG (ITU-T T.871) know this matrix alone. */
  readonly numbers?: { readonly matrix: "bt470bg" };
  /** The matrix that its header names of numbers that nobody tags; absent: none. */
  readonly untagged?: "bt709";
  /** The scans that it supports; absent: only progressive. */
  readonly scans?: readonly Scan[];
  /** The smallest picture that its encoder takes; absent: any. */
  readonly leastSize?: Size;
  readonly pixelFormats: readonly string[];
  /** The pixel format where the job names none; absent or undefined: the nearest to the source's. */
  readonly pixelFormat?: (context: VideoContext) => string | undefined;
  /** The form in which a container takes the samples of the format that the job names; the same where absent. */
  readonly packing?: (format: string, container: VideoContext["container"]) => string;
  /** The codec that stands in for it where it has another name in a container. */
  readonly variant?: (context: Pick<VideoContext, "video" | "source" | "container">) => VideoCodec | undefined;
  /** What its pictures are to be named, where the encoder does not name them so. */
  readonly codestream?: (context: VideoContext, pixelFormat: string) => CodestreamProfile | undefined;
  /** Throws TaskError for sizes, rates and the like that it does not support. */
  readonly check?: (context: VideoContext, pixelFormat: string) => void;
  readonly options: (context: VideoContext, pixelFormat: string) => Options;
};

/** What HDR10 says of the whole film: the colours of the mastering display, and how bright it gets. */
export type Hdr10 = Pick<Hdr, "masterDisplay" | "maxCll" | "maxFall">;

export type { CodestreamProfile };

/** One video track with everything decided. */
export type VideoPlan = {
  readonly recipe: StreamRecipe;
  /** As ffprobe names it. */
  readonly codec: string;
  readonly passes: number;
  /** Frames a second of the result. */
  readonly rate?: Rational;
  /** Every picture lasts equally long, so that the rate tells their number: it was made so, or the source has it. */
  readonly counts?: "made" | "kept";
  /** Seconds that are shown, where the stream holds more than that. */
  readonly lasts?: Rational;
  /** More than the source shows is in it, which the result tells. */
  readonly isLonger?: boolean;
  /** The most and the fewest images of the result. */
  readonly limit?: number;
  readonly atLeast?: number;
  readonly expect: NonNullable<Expectation["video"]>;
  /** What HDR10 says of it and its stream cannot. */
  readonly hdr10?: Hdr10;
  /** What its numbers mean, as far as anybody says it; absent: it is copied. */
  readonly colors?: Colors;
  readonly codestream?: CodestreamProfile;
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
  ...["hdr10", "mainlevel", "sublevel"],
] as const;

/** Fields that only some encoders read. */
export const encoderFields = [...rateFields, ...gopFields, ...otherFields] as const;
export type EncoderField = (typeof encoderFields)[number];
