import { z } from "zod";
import { looseInteger } from "../../../shared/basics/loose-values.ts";

const uid = z.string().min(1).max(200);

const modifier = z.discriminatedUnion("kind", [
  z.looseObject({
    kind: z.literal("transcode_segmented_rendering"),
    target_element_uid: uid,
    duration_sec: looseInteger(1).optional(),
  }),
  z.looseObject({
    kind: z.literal("transcode_auto_split"),
    target_element_uid: uid,
    mode: z.enum(["smart", "aggressive", "disabled"]).optional(),
  }),
]);

/** Changes of later elements before they run. */
export const jobModifier = z.looseObject({ modifiers: z.array(modifier).min(1).max(100) });
