import { z } from "zod";
import { numberOrExpression } from "../../../../expressions/field.ts";
import { location } from "../../../../location.ts";
import { looseBoolean, looseNumber, numberOrText } from "../../../../loose.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { notImplemented } from "../../not-yet.ts";

const offset = numberOrExpression({ words: /^-?\d+(\.\d+)?\s*%$/ });

const payload = z.looseObject({
  x_offset: offset.optional(),
  y_offset: offset.optional(),
  time_offset_sec: looseNumber().optional(),
  category: z.enum(["default", "forced", "sdh"]).optional(),
  language: z.string().max(64).optional(),
  font_size: numberOrText().optional(),
  background_color: z.string().max(64).optional(),
  imprint_style: z.enum(["auto", "closed_caption", "subtitle", "ttml"]).optional(),
  font_files: z.array(location).max(100).optional(),
  is_optional: looseBoolean().optional(),
  ttml_render_engine: z.string().max(64).optional(),
  attributes: z
    .array(z.looseObject({ name: z.string().max(200), value: z.string().max(4000) }))
    .max(200)
    .optional(),
  option_string: z.string().max(4000).optional(),
  lut_file: location.optional(),
  lut_preset: z.enum(["r709_to_r2020_pq_300nit"]).optional(),
});

export const printSubtitle = defineVideoFilter({
  kind: "print_subtitle",
  payload,
  stage: "converted",
  apply: (_wanted, { path }) => notImplemented(`${path}: a filter of kind`, "print_subtitle"),
});
