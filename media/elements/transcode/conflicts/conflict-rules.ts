import { audioFields } from "../audio/audio.ts";
import { audioCodecOf } from "../audio/index.ts";
import type { AudioTarget } from "../audio/schema.ts";
import type { ContainerTarget } from "../containers/schema.ts";
import type { Target, TimecodeTarget } from "../target-schema.ts";
import { reshaping } from "../video/encoding/copy.ts";
import { videoCodecOf } from "../video/index.ts";
import type { VideoTarget } from "../video/schema.ts";
import { encoderFields } from "../video/video.ts";

/** Fields that contradict others if set, and why. */
export type Rule<Part> = {
  readonly fields: readonly (keyof Part & string)[];
  readonly holds: (part: Part, target: Target) => boolean;
  readonly why: string;
};

const transportStreams = ["mpegts", "mpeg2ts", "segmented_ts", "hls"];
const packages = ["hls", "hls_subtitle", "dash-mp4", "dash-vod", "dash-live", "dash-segment"];
const isElsewhere = (kind: string | undefined, kinds: readonly string[]) => kind !== undefined && !kinds.includes(kind);
const isNoTransportStream = ({ container }: Target) => isElsewhere(container?.kind, transportStreams);
const isBefore = (a: number | undefined, b: number | undefined) => a !== undefined && b !== undefined && a < b;

export const targetRules: readonly Rule<Target>[] = [
  {
    fields: ["slow_first_pass"],
    holds: ({ video, slow_first_pass }) => slow_first_pass && isElsewhere(video?.codec, ["h264", "h265"]),
    why: "is for h264 and h265 only",
  },
  {
    fields: ["nr_of_passes"],
    holds: ({ nr_of_passes, video }) => Number(nr_of_passes) > 1 && video?.codec === "copy",
    why: "means nothing to a stream that is copied",
  },
];

export const containerRules: readonly Rule<ContainerTarget>[] = [
  {
    fields: [
      ...(["muxrate_kb", "transport_id", "use_sdt", "pcr_pid", "pmt_pid"] as const),
      ...(["pcr_interval_ms", "pmt_interval_ms", "pat_interval_ms"] as const),
    ],
    holds: (_container, target) => isNoTransportStream(target),
    why: "is for transport streams only",
  },
  {
    fields: ["manifest_file_pattern"],
    holds: ({ kind }) => isElsewhere(kind, packages),
    why: "is for packages only",
  },
  {
    fields: ["dvd_compatible"],
    holds: ({ kind }) => isElsewhere(kind, ["mp2_program", "dvd", "vob"]),
    why: "is for mp2_program, dvd and vob only",
  },
];

const copyable = ["vtag", "pid"];

export const videoRules: readonly Rule<VideoTarget>[] = [
  { fields: ["pid"], holds: (_video, target) => isNoTransportStream(target), why: "is for transport streams only" },
  {
    fields: [...reshaping, ...encoderFields.filter((field) => !copyable.includes(field))],
    holds: ({ codec }) => codec === "copy",
    why: "cannot be applied to a stream that is copied",
  },
  {
    fields: ["preset"],
    holds: ({ codec }) => codec !== undefined && videoCodecOf(codec)?.reads.includes("preset") === false,
    why: "is for h264 and h265 only",
  },
  ...encoderFields.map((field) => ({
    fields: [field],
    holds: ({ codec }: VideoTarget) =>
      codec !== undefined &&
      videoCodecOf(codec)?.reads.includes(field) === false &&
      // Boxes of files hold HDR10 beside any codec.
      !["preset", "hdr10"].includes(field),
    why: "means nothing to this codec",
  })),
  ...(["max_bitrate_kb", "min_bitrate_kb"] as const).map((field) => ({
    fields: [field],
    holds: (video: VideoTarget) => video.bitrate_mode === "cbr" && video[field] !== video.bitrate_kb,
    why: "contradicts bitrate_mode cbr",
  })),
  {
    fields: ["bitrate_kb"],
    holds: ({ bitrate_mode }) => bitrate_mode === "crf",
    why: "contradicts bitrate_mode crf",
  },
  {
    fields: ["crf"],
    holds: ({ bitrate_mode, bitrate_kb }) =>
      bitrate_mode === "cbr" || bitrate_mode === "vbr" || (bitrate_mode === undefined && bitrate_kb !== undefined),
    why: "contradicts a bit rate",
  },
  {
    fields: ["max_bitrate_kb"],
    holds: (video) =>
      isBefore(video.max_bitrate_kb, video.bitrate_kb) || isBefore(video.max_bitrate_kb, video.min_bitrate_kb),
    why: "is below the bit rate that it is to limit",
  },
  {
    fields: ["max_gop_frames"],
    holds: ({ min_gop_frames, max_gop_frames }) => isBefore(max_gop_frames, min_gop_frames),
    why: "is below min_gop_frames",
  },
  {
    fields: ["use_scene_detection"],
    holds: ({ use_scene_detection, exact_gop_frames, exact_keyframe_interval_sec, idr_interval }) =>
      use_scene_detection === true &&
      [exact_gop_frames, exact_keyframe_interval_sec, idr_interval?.frames, idr_interval?.seconds].some(Boolean),
    why: "contradicts an exact distance of keyframes",
  },
];

export const audioRules: readonly Rule<AudioTarget>[] = [
  { fields: ["pid"], holds: (_audio, target) => isNoTransportStream(target), why: "is for transport streams only" },
  {
    fields: ["channels", "sample_rate", "filters", ...audioFields.filter((field) => field !== "convert_aac_headers")],
    holds: ({ codec }) => codec === "copy",
    why: "cannot be applied to a stream that is copied",
  },
  ...audioFields.map((field) => ({
    fields: [field],
    holds: ({ codec }: AudioTarget) => codec !== undefined && audioCodecOf(codec)?.reads.includes(field) === false,
    why: "means nothing to this codec",
  })),
  {
    fields: ["min_bitrate_kb", "max_bitrate_kb"],
    holds: ({ bitrate_mode }) => bitrate_mode === "cbr",
    why: "is for bitrate_mode vbr only",
  },
  {
    fields: ["sample_size"],
    holds: ({ sample_size, sample_format }) =>
      sample_format !== undefined && sample_size !== undefined && !sample_format.includes(String(sample_size)),
    why: "contradicts sample_format",
  },
  {
    fields: ["vendor_digital", "vendor_digital_plus"],
    holds: ({ codec }) => isElsewhere(codec, ["vendor_digital", "vendor_digital_plus", "ac3", "eac3"]),
    why: "is for the vendor's codecs only",
  },
];

export const timecodeRules: readonly Rule<TimecodeTarget>[] = [
  { fields: ["start_value"], holds: ({ source }) => source === "media", why: "contradicts source media" },
];
