import { z } from "zod";
import { looseBoolean, looseInteger, looseNumber } from "../../../loose.ts";

/** Every audio codec of the specification; the ones that can be made are in the list beside this file. */
export const audioCodecNames = [
  ...["copy", "aac", "mpeg2_aac", "mpeg4_aac", "aac_lc", "heaac_v1", "heaac_v2", "heaac_auto", "s302m", "mp2", "pcm"],
  ...["mp3", "ac3", "aiff", "alac", "flac", "eac3", "vorbis", "opus", "vendor_digital", "vendor_digital_plus"],
  ...["dolby_digital", "dolby_digital_plus"],
] as const;

const depths = ["16", "24", "32", "64"].flatMap((bits) => [`${bits}le`, `${bits}be`]);
const sampleFormats = ["pcm_s8", "pcm_u8", ...["s", "u", "f"].flatMap((kind) => depths.map((d) => `pcm_${kind}${d}`))];

const bitrate = looseNumber(1, 1024).optional();

export const audioTarget = z.looseObject({
  enabled: looseBoolean().default(true),
  codec: z.enum(audioCodecNames).optional(),
  pid: looseInteger(0, 8190).optional(),
  channels: looseInteger(1, 16).optional(),
  sample_size: looseInteger()
    .refine((bits) => [8, 16, 24, 32, 64].includes(bits), "is 8, 16, 24, 32 or 64")
    .optional(),
  sample_format: z.enum(sampleFormats as [string, ...string[]]).optional(), // zod wants to see that it is not empty
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
  source: z
    .array(z.looseObject({ track: looseInteger(0, 63), channel: looseInteger(0, 63).optional() }))
    .max(64)
    .optional(),
  include_if_source_has: z.array(z.string().max(64)).optional(),
});
export type AudioTarget = z.output<typeof audioTarget>;
