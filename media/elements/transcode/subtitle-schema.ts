import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../shared/basics/loose-values.ts";
import { overrides, trackFields } from "./track-schema.ts";

const flag = looseBoolean().optional();
const whole = looseInteger(0).optional();

const dvbOptions = z.looseObject({
  sd_in_hd: flag,
  use_df_timecode: flag,
  dvb_skip_dds: flag,
  use_region_fill_flag: flag,
  use_full_width_regions: flag,
  use_full_width_objects: flag,
  non_empty_pcs_on_hide: flag,
  send_empty_bitmap_on_hide: flag,
  use_transparent_color_0: flag,
  page_id: whole,
  dvb_subtitling_type: whole,
  color_depth_bits: whole,
  width_overide: whole,
  height_overide: whole,
  dar_overide: looseNumber(0).optional(),
  video_start_timecode: z.string().max(64).optional(),
});

/** A subtitle track of a target. */
export const subtitleTarget = z.looseObject({
  ...trackFields,
  source_map: z.enum(["use_if_exists", "source_or_empty", "required_in_source"]).default("required_in_source"),
  format: z.enum(["webvtt", "srt", "stl", "ass", "ttml", "imsc1", "dvbsub", "scc", "timed_text"]).optional(),
  pid: looseInteger(0, 8190).optional(),
  language: z.string().max(64).optional(),
  override_language_code: z.string().max(64).optional(),
  track_name: z.string().max(500).optional(),
  scc_options: z.looseObject({ drop_frame: flag }).optional(),
  dvb_options: dvbOptions.optional(),
  webvtt_options: z.looseObject({}).optional(),
  ttml_options: z.looseObject({}).optional(),
  stl_options: z.looseObject({}).optional(),
  overrides: overrides.optional(),
});
export type SubtitleTarget = z.output<typeof subtitleTarget>;

/** Subtitles of which the job says nothing. */
export const usualSubtitle = subtitleTarget.parse({});
