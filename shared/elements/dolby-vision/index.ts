import { defineUnperformed } from "../element.ts";
import { dolbyVisionPayload } from "./schema.ts";

export const dolbyVision = defineUnperformed({
  kind: "dolby_vision",
  title: "Dolby Vision",
  payload: dolbyVisionPayload,
});
