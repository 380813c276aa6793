import { z } from "zod";
import { listOf, looseBoolean, looseNumber, numberOrText } from "../../../../../shared/basics/loose-values.ts";
import { location } from "../../../../../shared/files/location.ts";
import { numberOrExpression } from "../../../../expressions/field.ts";

const offset = numberOrExpression({ words: /^-?\d+(\.\d+)?\s*%$/ }).optional();

export const subtitlePayload = z.looseObject({
  ...{ x_offset: offset, y_offset: offset },
  time_offset_sec: looseNumber().optional(),
  category: z.enum(["default", "forced", "sdh"]).optional(),
  language: z.string().max(64).optional(),
  font_size: numberOrText().optional(),
  background_color: z.string().max(64).optional(),
  imprint_style: z.enum(["auto", "closed_caption", "subtitle", "ttml"]).optional(),
  font_files: listOf(location, 100).optional(),
  is_optional: looseBoolean().optional(),
  ttml_render_engine: z.string().max(64).optional(),
  attributes: listOf(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }), 200).optional(),
  option_string: z.string().max(4000).optional(),
  lut_file: location.optional(),
  lut_preset: z.enum(["r709_to_r2020_pq_300nit"]).optional(),
});
export type SubtitlePayload = z.output<typeof subtitlePayload>;
