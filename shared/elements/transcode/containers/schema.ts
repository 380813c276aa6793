import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../loose.ts";

/** Every container of the specification; the ones that can be made are in the list beside this file. */
export const containerKinds = [
  ...["copy", "avi", "hls", "hls_subtitle", "dash-mp4", "dash-vod", "dash-live", "dash-segment", "mp4", "fmp4"],
  ...["segmented_mp4", "mpegts", "segmented_ts", "mpeg2ts", "mov", "mxf", "mxf_d10", "webm", "mkv", "nut", "ismv"],
  ...["3gp", "mpeg2video", "mp1_system", "mp2_program", "mp1_elementary", "mp2_elementary", "vob", "dvd", "aac"],
  ...["mp3", "wav", "aiff", "aa", "flac", "alaw", "mulaw", "ogg", "jpg", "j2k", "ass", "srt", "stl", "ttml", "imsc1"],
  ...["webvtt", "elementary", "dvbsub", "scc", "mcc", "adm", "damf", "mxf_iab"],
] as const;

const pid = looseInteger(0, 8190).optional();
const interval = looseInteger(20, 1000).optional();
const text = z.string().max(1000).optional();

export const containerTarget = z.looseObject({
  kind: z.enum(containerKinds).optional(),
  verify: looseBoolean().default(true),
  vendor: z.enum(["ap10"]).optional(),
  movflags: text,
  muxrate_kb: looseInteger(1).optional(),
  mux_warnings: z.enum(["as_errors", "ignore"]).optional(),
  faststart: looseBoolean().default(true),
  transport_id: pid,
  use_sdt: looseBoolean().optional(),
  pcr_pid: pid,
  pmt_pid: pid,
  pcr_interval_ms: interval,
  pmt_interval_ms: interval,
  pat_interval_ms: interval,
  ts_offset_ms: looseNumber().optional(),
  segment_duration_sec: looseNumber(0).optional(),
  vframe_align_segment_duration: looseBoolean().optional(),
  auto_speed_change_delta_percent: looseNumber(0).optional(),
  align_to_av_media: looseBoolean().optional(),
  title: text,
  author: text,
  copyright: text,
  info_url: text,
  enable_data_tracks: looseBoolean().default(false),
  mov_atoms: z
    .looseObject({ no_empty_elst: looseBoolean().optional(), no_negative_cts: looseBoolean().optional() })
    .optional(),
  brand: z.string().min(1).max(4).optional(),
  compatible_brands: z.array(z.string()).optional(),
  forced_compatible_brands: z.array(z.string()).optional(),
  hevc_codec_id_prefix: z.enum(["hvc1", "hev1"]).optional(),
});
export type ContainerTarget = z.output<typeof containerTarget>;
