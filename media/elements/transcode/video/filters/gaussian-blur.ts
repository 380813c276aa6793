import { z } from "zod";
import { looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { defineVideoFilter } from "../../filters/filter.ts";

/** A blur whose standard deviation is the radius, in pixels of the target. */
export const gaussianBlur = defineVideoFilter({
  kind: "gaussian_blur",
  payload: z.looseObject({ radius: looseNumber(0, 1024).optional() }),
  stage: "converted",
  // The filter needs more than its usual single step to come close to the bell curve.
  apply: ({ radius = 0 }) => ({
    filters: radius === 0 ? [] : [{ name: "gblur", options: { sigma: radius, steps: 6 } }],
  }),
});
