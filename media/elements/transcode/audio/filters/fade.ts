import { fadePayload, fadeTimes } from "../../filters/fade-times.ts";
import { defineAudioFilter } from "../../filters/filter.ts";

/** From silence, or to silence; the amplitude changes evenly. */
export const fade = defineAudioFilter({
  kind: "fade",
  payload: fadePayload,
  stage: "converted",
  apply: (wanted, place) => ({ filters: [{ name: "afade", options: { ...fadeTimes(wanted, place), curve: "tri" } }] }),
});
