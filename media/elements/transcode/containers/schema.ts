import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../../shared/basics/loose-values.ts";
import { location } from "../../../../shared/files/location.ts";
import { encryption } from "../../../encryption/schema.ts";
import { containerFilters } from "./filters/index.ts";
import { scte35 } from "./options/scte35.ts";

/** Every container of the specification; those that can be made are in the table beside this file. */
export const containerKinds = [
  ...["copy", "avi", "hls", "hls_subtitle", "dash-mp4", "dash-vod", "dash-live", "dash-segment", "mp4", "fmp4"],
  ...["segmented_mp4", "mpegts", "segmented_ts", "mpeg2ts", "mov", "mxf", "mxf_d10", "webm", "mkv", "nut", "ismv"],
  ...["3gp", "mpeg2video", "mp1_system", "mp2_program", "mp1_elementary", "mp2_elementary", "vob", "dvd", "aac"],
  ...["mp3", "wav", "aiff", "aa", "flac", "alaw", "mulaw", "ogg", "jpg", "j2k", "ass", "srt", "stl", "ttml", "imsc1"],
  ...["webvtt", "elementary", "dvbsub", "scc", "mcc", "adm", "damf", "mxf_iab"],
] as const;

const muxProfiles = [
  ...["VCD", "SVCD", "DVD", "DVD_MPEG1", "DVD_DVR", "DVD_DVR_MPEG1", "DVD_PVR", "DVD_PVR_MPEG1", "DTV", "DVB", "MMV"],
  ...["DVHS", "ATSC", "ATSCHI", "CABLELABS", "ATSC_C", "HDV_HD1", "HDV_HD2", "D10", "D10_25", "D10_30", "D10_40"],
  ...["D10_50", "HD_DVD"],
] as const;

const pid = looseInteger(0, 8190).optional();
const interval = looseInteger(20, 1000).optional();
const text = z.string().max(1000).optional();
const brands = z.array(z.string().min(1).max(4)).max(50).optional();

/** The container of a target. The schema of the payload adds the kinds that there are. */
export const containerTarget = z.looseObject({
  kind: z.string().optional(),
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
  vframe_align_segment_duration: looseBoolean().default(true),
  auto_speed_change_delta_percent: looseNumber(0).optional(),
  align_to_av_media: looseBoolean().optional(),
  references_location: location.optional(),
  title: text,
  author: text,
  copyright: text,
  info_url: text,
  filters: containerFilters.optional(),
  attributes: z
    .array(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }))
    .max(200)
    .optional(),
  enable_data_tracks: looseBoolean().default(false),
  mov_atoms: z
    .looseObject({ no_empty_elst: looseBoolean().optional(), no_negative_cts: looseBoolean().optional() })
    .optional(),
  dvd_compatible: looseBoolean().optional(),
  brand: z.string().min(1).max(4).optional(),
  compatible_brands: brands,
  forced_compatible_brands: brands,
  thirdparty_mux_profile: z.enum(muxProfiles).optional(),
  thirdparty_mux_options: z.string().max(4000).optional(),
  scte35: scte35.optional(),
  encryption: encryption.omit({ cpix_key: true }).optional(),
  manifest_file_pattern: text,
  segment_file_pattern: text,
  hevc_codec_id_prefix: z.enum(["hvc1", "hev1"]).optional(),
});
export type ContainerTarget = z.output<typeof containerTarget>;

/** The fields of a container of which the job says nothing. */
export const usualContainer = containerTarget.parse({});
