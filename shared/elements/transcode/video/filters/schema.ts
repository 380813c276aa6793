import { z } from "zod";
import { numberOrExpression } from "../../../../expressions/field.ts";
import { location } from "../../../../location.ts";
import { looseBoolean, looseInteger, looseNumber, numberOrText } from "../../../../loose.ts";
import { timecodeSelectors } from "../../../source/schema.ts";
import { convertibleTransfers, matrices, primaries, ranges } from "../values.ts";

const place = numberOrExpression().default(25);
const offset = numberOrExpression({ words: /^-?\d+(\.\d+)?\s*%$/ });
const text = z.string().max(1000).optional();
const seconds = looseNumber(0).optional();
const lut = { lut_file: location.optional(), lut_preset: z.enum(["r709_to_r2020_pq_300nit"]).optional() };
const fonts = z.array(location).max(100).optional();

export const printTimecode = z.looseObject({
  x: place,
  y: place,
  font: text,
  font_size: looseInteger(1, 4000).default(16),
  font_color: z.string().max(64).default("blue"),
  background_color: z.string().max(64).optional(),
  border_size: looseInteger(0, 4000).default(0),
  timecode_kind: z
    .enum(["timecode_auto", "timecode_drop", "timecode_nodrop", "frame_nr", "media_time"])
    .default("timecode_auto"),
  timecode_source: z.enum(["auto", "start_value", "media"]).default("media"),
  source_timecode_selector: z.enum(timecodeSelectors).default("first"),
  timecode_start_value: z.string().max(64).optional(),
  font_files: fonts,
  ...lut,
});

export const printSubtitle = z.looseObject({
  x_offset: offset.optional(),
  y_offset: offset.optional(),
  time_offset_sec: looseNumber().optional(),
  category: z.enum(["default", "forced", "sdh"]).optional(),
  language: z.string().max(64).optional(),
  font_size: numberOrText().optional(),
  background_color: z.string().max(64).optional(),
  imprint_style: z.enum(["auto", "closed_caption", "subtitle", "ttml"]).optional(),
  font_files: fonts,
  is_optional: looseBoolean().optional(),
  ttml_render_engine: z.string().max(64).optional(),
  attributes: z
    .array(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }))
    .max(200)
    .optional(),
  option_string: z.string().max(4000).optional(),
  ...lut,
});

export const extenc = z.looseObject({
  support_files: z.array(location).max(100).optional(),
  extenc_filter: z.string().max(4000).optional(),
});

const overlay = {
  x: place,
  y: place,
  width: numberOrExpression().optional(),
  height: numberOrExpression().optional(),
  opacity: looseNumber(0, 1).default(1),
  start_sec: seconds,
  fadein_duration_sec: seconds,
  duration_sec: seconds,
  fadeout_duration_sec: seconds,
};
export const imageOverlay = z.looseObject({ image_file: location.optional(), ...overlay });
export const videoOverlay = z.looseObject({
  video_file: location.optional(),
  repeat_count: looseInteger(0).optional(),
  ...overlay,
});

const patterns = ["22", "23", "2332", "222222222223"] as const;
const asText = (value: unknown) => (typeof value === "number" ? String(value) : value);
export const telecine = z.looseObject({
  interlace_mode: z.enum(["tff", "bff"]).default("tff"),
  pattern: z.preprocess(asText, z.enum(patterns)).default("2332"),
});

const colors = z.looseObject({
  ire_range_mode: z.enum(ranges).optional(),
  color_primaries: z.enum(primaries).optional(),
  color_trc: z.enum(convertibleTransfers).optional(),
  color_matrix: z.enum(matrices).optional(),
});
const conversions = [
  ...["hdr_hlg_to_sdr", "hdr_hlg_to_sdr_desat_mild", "hdr_hlg_to_sdr_desat_medium", "hdr_pq_to_sdr"],
  ...["hdr_pq_to_sdr_desat_mild", "hdr_pq_to_sdr_desat_medium", "sdr_to_hdr_pq_200nit", "sdr_to_hdr_pq_300nit"],
] as const;
export const colorConvert = z.looseObject({
  from: colors.optional(),
  to: colors.optional(),
  nominal_peak_luminance: looseNumber(0).optional(),
  preset: z.enum(conversions).optional(),
  lut_file: location.optional(),
});
