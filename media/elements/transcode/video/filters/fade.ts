import { fadePayload, fadeTimes } from "../../filters/fade-times.ts";
import { defineVideoFilter } from "../../filters/filter.ts";

/** From black, or to black. */
export const fade = defineVideoFilter({
  kind: "fade",
  payload: fadePayload,
  stage: "converted",
  apply: (wanted, place) => ({ filters: [{ name: "fade", options: fadeTimes(wanted, place) }] }),
});
