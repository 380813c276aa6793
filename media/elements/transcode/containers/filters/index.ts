import { z } from "zod";
import { looseBoolean } from "../../../../../shared/basics/loose-values.ts";
import { numberOrExpression } from "../../../../expressions/field.ts";
import { filter, filterList } from "../../filter-schema.ts";
import { fadePayload } from "../../filters/fade-times.ts";

const speedChange = z.looseObject({
  factor: numberOrExpression({ min: 0 }).default(1),
  pitch_correction: looseBoolean().default(true),
});

/** Filters of all tracks of a target together. */
export const containerFilters = filterList(
  "speed_change",
  z.discriminatedUnion("kind", [filter("speed_change", speedChange), filter("fade", fadePayload)]),
);
