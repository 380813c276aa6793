import { z } from "zod";
import { multiply, type Rational, ratio } from "../../../../../shared/basics/rational.ts";
import { defineVideoFilter } from "../../filters/filter.ts";

/** For how many fields each picture of a round is shown. The number of frames out for each frame in follows from it. */
const patterns = ["22", "23", "2332", "222222222223"] as const;

const asText = (value: unknown) => (typeof value === "number" ? String(value) : value);

const payload = z.looseObject({
  interlace_mode: z.enum(["tff", "bff"]).default("tff"),
  pattern: z.preprocess(asText, z.enum(patterns)).default("2332"),
});

const timesFrames = (pattern: string): Rational => {
  const fields = [...pattern].reduce((sum, digit) => sum + Number(digit), 0);
  return ratio(fields, 2 * pattern.length);
};

const fieldOrders = { tff: "tt", bff: "bb" } as const;

/** Pictures of film as fields of video. */
export const telecine = defineVideoFilter({
  kind: "telecine",
  payload,
  stage: "converted",
  pulldown: ({ interlace_mode, pattern }) => ({
    timesFrames: timesFrames(pattern),
    fieldOrder: fieldOrders[interlace_mode],
  }),
  apply: ({ interlace_mode: mode, pattern }, { picture }) => {
    const pulled = { name: "telecine", options: { first_field: mode === "tff" ? "top" : "bottom", pattern } };
    const rate = picture.frameRate && multiply(picture.frameRate, timesFrames(pattern));
    return {
      // Without repeated fields this only marks the lines as fields.
      filters: [...(pattern === "22" ? [] : [pulled]), { name: "setfield", options: { mode } }],
      changed: { fieldOrder: fieldOrders[mode], frameRate: rate, averageFrameRate: rate },
    };
  },
});
