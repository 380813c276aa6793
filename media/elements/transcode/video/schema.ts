import { z } from "zod";
import {
  listOf,
  looseBoolean,
  looseInteger,
  looseNumber,
  numberOrText,
  openObject,
  optionalObject,
} from "../../../../shared/basics/loose-values.ts";
import { fractionOrExpression } from "../../../expressions/field.ts";
import { filterRequest } from "../filter-schema.ts";
import { overrides, trackFields } from "../track-schema.ts";
import { dolbyVision, hdr10 } from "./picture/hdr.ts";
import {
  codecProviders,
  levels,
  matrices,
  pixelFormats,
  presets,
  primaries,
  profiles,
  ranges,
  scalingAlgorithms,
  streamProfiles,
  transfers,
  tunes,
} from "./values.ts";

const algorithms = z.enum(scalingAlgorithms);

const side = looseNumber(8, 8192).optional();
const modulus = looseInteger(1, 64).default(2);
const kilobits = looseNumber(0, 10_000_000).optional();
const frames = looseInteger(0, 100_000).optional();
const seconds = looseNumber(0, 100_000).optional();
const flag = looseBoolean().optional();
const percent = looseNumber(0, 100).optional();
// A level written as a number loses its decimal: 4 means "4.0".
const levelText = (value: unknown) => (/^\d$/.test(String(value)) ? `${value}.0` : String(value));

/** How pictures are brought to another size. */
export const dithers = ["none", "bayer", "ed", "a_dither", "x_dither"] as const;

export const scaler = z.looseObject({
  /** Our own addition: the specification has it for the pipeline only. */
  dither: z.enum(dithers).optional(),
  kind: z.enum(["default", "zscale"]).default("default"),
  algorithm: algorithms.optional(),
  upscale_algorithm: algorithms.optional(),
  downscale_algorithm: algorithms.optional(),
  config_string: z.string().max(4000).optional(),
  apply_always: looseBoolean().optional(),
});

const closedCaptions = z.looseObject({
  enable_cea608: flag,
  enable_cea708: flag,
  enable_a53: flag,
  enable_smpte436m: flag,
  enable_quicktime_c608: flag,
  enable_quicktime_c708: flag,
  enable_scte20: flag,
  suppress: flag,
});

const moments = listOf(z.union([looseNumber(0), z.string().max(64)]), 10_000);
const momentLists = z.looseObject({
  timecodes: moments.optional(),
  frames: moments.optional(),
  seconds: moments.optional(),
});

/** A video track of a target. The schema of the payload adds the names of codecs and the filters, which it has from tables. */
export const videoTarget = z.looseObject({
  ...trackFields,
  enabled: looseBoolean().default(true),
  codec: z.string().optional(),
  codec_provider: z.enum(codecProviders).optional(),
  pid: looseInteger(0, 8190).optional(),
  track_name: z.string().max(500).optional(),
  width: side,
  height: side,
  width_modulus: modulus,
  height_modulus: modulus,
  frame_rate: fractionOrExpression().optional(),
  par: fractionOrExpression().optional(),
  dar: fractionOrExpression().optional(),
  force_source_par: fractionOrExpression().optional(),
  force_source_dar: fractionOrExpression().optional(),
  ar_max_distortion: looseNumber(0, 100).default(0.05),
  ar_auto_crop: z.enum(["none", "distorted", "preserving"]).default("none"),
  ar_pad_crop_ratio: looseNumber(0, 1).default(1),
  video_format: z.enum(["component", "pal", "ntsc", "secam", "mac", "unspecified"]).optional(),
  add_vbi_if_needed: flag,
  interlace_mode: z.enum(["progressive", "tff", "bff"]).optional(),
  smart_temporal_conversions: flag,
  smart_chroma_conversions: flag,
  chroma_format: z.enum(pixelFormats).optional(),
  ire_range_mode: z.enum(ranges).optional(),
  color_primaries: z.enum(primaries).optional(),
  color_trc: z.enum(transfers).optional(),
  color_matrix: z.enum(matrices).optional(),
  use_broadcast_safe: looseBoolean().default(false),
  profile: z.enum(profiles).optional(),
  level: z.preprocess((value) => (value === undefined ? value : levelText(value)), z.enum(levels).optional()),
  mainlevel: looseInteger(0, 1000).optional(),
  sublevel: looseInteger(0, 1000).optional(),
  preset: z.enum(presets).optional(),
  tune: z.enum(tunes).optional(),
  bitrate_mode: z.enum(["cbr", "vbr", "crf"]).optional(),
  bitrate_kb: kilobits,
  min_bitrate_kb: kilobits,
  max_bitrate_kb: kilobits,
  vbv_buffer_size_kb: kilobits,
  vbv_init_occupancy_kb: kilobits,
  max_available_vbv: percent,
  min_available_vbv: percent,
  hrd_signaling: z.enum(["encoder", "none", "post_process"]).optional(),
  crf: looseNumber(0, 51).optional(),
  qscale: looseNumber(1, 31).optional(),
  max_bframes: looseInteger(0, 16).optional(),
  refs: looseInteger(1, 16).optional(),
  use_cabac: flag,
  use_loop_filter: flag,
  slices: looseInteger(0, 256).optional(),
  use_closed_gop: flag,
  first_gop_closed: flag,
  frames,
  min_gop_frames: frames,
  max_gop_frames: frames,
  exact_gop_frames: frames,
  min_keyframe_interval_sec: seconds,
  max_keyframe_interval_sec: seconds,
  exact_keyframe_interval_sec: seconds,
  idr_interval: optionalObject({
    frames,
    seconds,
    min_sec: seconds,
    max_sec: seconds,
    min_frames: frames,
    max_frames: frames,
  }),
  forced_keyframes: z.union([moments, momentLists, listOf(momentLists, 1000)]).optional(),
  use_scene_detection: flag,
  vtag: z.enum(["hvc1", "hev1", "dvh1", "avc1"]).optional(),
  x264_options: z.string().max(4000).optional(),
  x265_options: z.string().max(4000).optional(),
  extenc_args: z.string().max(8000).optional(),
  thirdparty_video_options: z.string().max(4000).optional(),
  thirdparty_video_profile: z.enum(streamProfiles).optional(),
  thirdparty_stream_mux_options: z.string().max(4000).optional(),
  image_sequence: optionalObject({
    start_number: looseInteger(0, 1_000_000_000).default(0),
    total_number: looseInteger(1, 1_000_000).optional(),
    offset_sec: seconds,
    relative_offset: looseNumber(0, 1).optional(),
  }),
  mov_atoms: openObject({ pasp: numberOrText().optional(), use_clap: flag }).optional(),
  closed_captions: closedCaptions.optional(),
  hdr10: hdr10.optional(),
  dolby_vision: dolbyVision.optional(),
  filters: z.array(filterRequest).optional(),
  scaler: scaler.optional(),
  overrides: overrides.optional(),
});
export type VideoTarget = z.output<typeof videoTarget>;
