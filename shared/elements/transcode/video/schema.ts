import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber, numberOrText } from "../../../loose.ts";

/** Every video codec of the specification; the ones that can be made are in the list beside this file. */
export const videoCodecNames = [
  ...["copy", "h264", "h265", "prores", "mpeg1", "mpeg2", "mpeg4", "vp8", "vp9", "dv25", "dv50", "dnxhd", "mjpeg"],
  ...["jpeg2000", "raw", "png", "jpeg"],
] as const;

const pixelFormats = [
  ...["yuv411p", "yuv420p", "yuv422p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuva444p10le", "yuv420p12le"],
  ...[
    "yuv422p12le",
    "yuv444p12le",
    "yuv420p16le",
    "yuv422p16le",
    "yuv444p16le",
    "yuva444p16le",
    "yuvj420p",
    "yuvj422p",
  ],
  ...["rgb24", "rgb48be", "rgba64be", "rgb48le", "rgba64le", "gbrp10le", "gbrp10be", "gbrp12le", "gbrp12be"],
] as const;

const primaries = [
  ...["bt601", "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "smpte431", "smpte432", "bt2020", "film"],
] as const;
const transfers = [
  ...["bt601", "bt709", "st2084", "bt470m", "gamma22", "bt470bg", "gamma28", "smpte170m", "smpte240m", "smpte428"],
  ...["linear", "log", "log sqrt", "bt1361 ecg", "iec61966 2.1", "iec61966 2.4", "bt2020_10bit", "bt2020_12bit"],
  ...["hlg", "arib_stdb67"],
] as const;
const matrices = [
  ...["rgb", "bt470bg", "bt601", "bt709", "smpte170m", "smpte240m", "bt2020c", "bt2020nc", "smpte2085"],
] as const;

const profiles = [
  ...["baseline", "main", "main10", "main-intra", "mainstillpicture", "main444-8", "main444-intra"],
  ...["main444-stillpicture", "main10-intra", "main422-10", "main422-10-intra", "main444-10", "main444-10-intra"],
  ...["high", "high10", "high422", "high444", "MP", "HP", "SP", "422P", "apco", "apcs", "apcn", "apch", "ap4h", "ap4x"],
  ...["jpeg2000", "p0", "p1", "cinema2k", "cinema4k", "cinema2k_scalable", "cinema4k_scalable", "cinema_lts"],
  ...["bc_single", "bc_multi", "bc_multi_r", "imf_2k", "imf_4k", "imf_8k", "imf_2k_r", "imf_4k_r", "imf_8k_r"],
] as const;
const levels = [
  ...["1.0", "1.1", "1.2", "1.3", "2.0", "2.1", "2.2", "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2"],
  ...["6.0", "LL", "ML", "HL", "H14"],
] as const;
const presets = [
  ...["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"],
] as const;
const tunes = [
  ...["psnr", "ssim", "fastdecode", "zerolatency", "film", "animation", "grain", "stillimage", "touhou"],
] as const;
const algorithmNames = [
  ...["bilinear", "bicubic", "nearest_neighbor", "lanczos", "bicubic_spline", "spline16", "spline36", "sinc"],
] as const;
const algorithms = z.enum(algorithmNames);

const side = looseNumber(8, 8192).optional();
const modulus = looseInteger(1, 64).default(2);
const kilobits = looseNumber(0, 10_000_000).optional();
const frames = looseInteger(0, 100_000).optional();
const seconds = looseNumber(0, 100_000).optional();
// A level written as a number loses its decimal: 4 means "4.0".
const levelText = (value: unknown) => (/^\d$/.test(String(value)) ? `${value}.0` : String(value));

export const videoTarget = z.looseObject({
  enabled: looseBoolean().default(true),
  codec: z.enum(videoCodecNames).optional(),
  width: side,
  height: side,
  width_modulus: modulus,
  height_modulus: modulus,
  frame_rate: numberOrText().optional(),
  par: numberOrText().optional(),
  dar: numberOrText().optional(),
  force_source_par: numberOrText().optional(),
  force_source_dar: numberOrText().optional(),
  ar_max_distortion: looseNumber(0, 100).default(0.05),
  ar_auto_crop: z.enum(["none", "distorted", "preserving"]).default("none"),
  ar_pad_crop_ratio: looseNumber(0, 1).default(1),
  video_format: z.enum(["component", "pal", "ntsc", "secam", "mac", "unspecified"]).optional(),
  add_vbi_if_needed: looseBoolean().optional(),
  interlace_mode: z.enum(["progressive", "tff", "bff"]).optional(),
  smart_temporal_conversions: looseBoolean().optional(),
  smart_chroma_conversions: looseBoolean().optional(),
  chroma_format: z.enum(pixelFormats).optional(),
  ire_range_mode: z.enum(["auto", "full", "limited"]).optional(),
  color_primaries: z.enum(primaries).optional(),
  color_trc: z.enum(transfers).optional(),
  color_matrix: z.enum(matrices).optional(),
  use_broadcast_safe: looseBoolean().optional(),
  profile: z.enum(profiles).optional(),
  level: z.preprocess((value) => (value === undefined ? value : levelText(value)), z.enum(levels).optional()),
  preset: z.enum(presets).optional(),
  tune: z.enum(tunes).optional(),
  bitrate_mode: z.enum(["cbr", "vbr", "crf"]).optional(),
  bitrate_kb: kilobits,
  min_bitrate_kb: kilobits,
  max_bitrate_kb: kilobits,
  vbv_buffer_size_kb: kilobits,
  vbv_init_occupancy_kb: kilobits,
  hrd_signaling: z.enum(["encoder", "none", "post_process"]).optional(),
  crf: looseNumber(0, 51).optional(),
  qscale: looseNumber(1, 31).optional(),
  max_bframes: looseInteger(0, 16).optional(),
  refs: looseInteger(1, 16).optional(),
  max_refs: looseInteger(1, 16).optional(),
  use_closed_gop: looseBoolean().optional(),
  min_gop_frames: frames,
  max_gop_frames: frames,
  exact_gop_frames: frames,
  min_keyframe_interval_sec: seconds,
  max_keyframe_interval_sec: seconds,
  exact_keyframe_interval_sec: seconds,
  idr_interval: z
    .looseObject({
      frames,
      seconds,
      min_sec: seconds,
      max_sec: seconds,
      min_frames: frames,
      max_frames: frames,
    })
    .optional(),
  use_scene_detection: looseBoolean().optional(),
  vtag: z.enum(["hvc1", "hev1", "dvh1", "avc1"]).optional(),
  codec_provider: z.string().max(64).optional(),
  x264_options: z.string().max(4000).optional(),
  x265_options: z.string().max(4000).optional(),
  image_sequence: z
    .looseObject({
      start_number: looseInteger(0, 1_000_000_000).default(0),
      total_number: looseInteger(1, 1_000_000).optional(),
      offset_sec: seconds,
      relative_offset: looseNumber(0, 1).optional(),
    })
    .optional(),
  mov_atoms: z.looseObject({ pasp: numberOrText().optional(), use_clap: looseBoolean().optional() }).optional(),
  scaler: z
    .looseObject({
      kind: z.enum(["default", "zscale"]).default("default"),
      algorithm: algorithms.optional(),
      upscale_algorithm: algorithms.optional(),
      downscale_algorithm: algorithms.optional(),
    })
    .optional(),
  include_if_source_has: z.array(z.string().max(64)).optional(),
});
export type VideoTarget = z.output<typeof videoTarget>;
