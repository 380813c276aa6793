import { z } from "zod";
import { listOf, looseBoolean, looseInteger, looseNumber, numeric } from "../../../../shared/basics/loose-values.ts";
import { numberOrExpression } from "../../../expressions/field.ts";
import { filterRequest } from "../filter-schema.ts";
import { overrides, trackFields } from "../track-schema.ts";
import { codecProviders, streamProfiles } from "../video/values.ts";
import { vendorDigital } from "./vendor-digital.ts";

const sampleFormats = [
  ...["pcm_s8", "pcm_u8", "pcm_f16le", "pcm_f24le", "pcm_f32le", "pcm_f64le", "pcm_f16be", "pcm_f24be", "pcm_f32be"],
  ...["pcm_f64be", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_s64le", "pcm_s16be", "pcm_s24be", "pcm_s32be"],
  ...["pcm_s64be", "pcm_u16le", "pcm_u24le", "pcm_u32le", "pcm_u64le", "pcm_u16be", "pcm_u24be", "pcm_u32be"],
  ...["pcm_u64be"],
] as const;

const channelDesignators = [
  ...["unknown", "left", "right", "front_left", "front_right", "front_center", "back_left", "back_right"],
  ...["front_left_of_center", "front_right_of_center", "back_center", "side_left", "side_right", "left_height"],
  ...["right_height", "center", "lfe_screen", "left_surround", "right_surround", "left_center", "right_center"],
  ...["center_surround", "left_surround_direct", "right_surround_direct", "top_center_surround"],
  ...["vertical_height_left", "vertical_height_center", "vertical_height_right", "top_back_left", "top_back_center"],
  ...["top_back_right", "rear_surround_left", "rear_surround_right", "left_wide", "right_wide", "lfe2", "left_total"],
  ...["right_total", "hearing_impaired", "narration", "mono", "dialog_centric_mix", "center_surround_direct", "haptic"],
  ...["headphones_left", "headphones_right", "click_track", "foreign_language", "discrete", "discrete_0"],
  ...["discrete_1", "discrete_2", "discrete_3", "discrete_4", "discrete_5", "discrete_6", "discrete_7", "discrete_8"],
  ...["discrete_9", "discrete_10", "discrete_11", "discrete_12", "discrete_13", "discrete_14", "discrete_15"],
] as const;

const bitrate = looseNumber(1, 1024).optional();

/** An audio track of a target, without what tables add. */
export const audioTarget = z.looseObject({
  ...trackFields,
  enabled: looseBoolean().default(true),
  codec: z.string().optional(),
  codec_provider: z.enum(codecProviders).optional(),
  pid: looseInteger(0, 8190).optional(),
  channels: looseInteger(1, 16).optional(),
  sample_size: z.preprocess(numeric, z.literal([8, 16, 24, 32, 64])).optional(),
  sample_format: z.enum(sampleFormats).optional(),
  sample_rate: looseInteger(1000, 768_000).optional(),
  bitrate_mode: z.enum(["cbr", "vbr"]).optional(),
  bitrate_kb: bitrate,
  min_bitrate_kb: bitrate,
  max_bitrate_kb: bitrate,
  language: z.string().max(64).optional(),
  default_language: z.string().max(64).optional(),
  disposition: z.enum(["default", "dub", "original", "comment", "lyrics", "karaoke"]).optional(),
  track_name: z.string().max(500).optional(),
  pcm_wrapping: z.enum(["raw", "bwf", "aes"]).optional(),
  convert_aac_headers: z.enum(["adts_to_asc"]).optional(),
  /** Which source tracks feed this one. */
  source: listOf(z.looseObject({ track: looseInteger(0, 63), channel: looseInteger(0, 63).optional() }), 64).optional(),
  filters: z.array(filterRequest).optional(),
  channel_designators: listOf(z.enum(channelDesignators), 64).optional(),
  aac_header_interval: looseInteger(0, 1_000_000).optional(),
  dialnorm: numberOrExpression().optional(),
  vendor_digital: vendorDigital.optional(),
  vendor_digital_plus: vendorDigital.optional(),
  thirdparty_stream_mux_options: z.string().max(4000).optional(),
  thirdparty_audio_options: z.string().max(4000).optional(),
  thirdparty_audio_profile: z.enum(streamProfiles).optional(),
  extenc_args: z.string().max(8000).optional(),
  overrides: overrides.optional(),
});
export type AudioTarget = z.output<typeof audioTarget>;
