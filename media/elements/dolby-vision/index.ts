import { defineLicensed } from "../element.ts";
import { dolbyVisionPayload } from "./schema.ts";

export const dolbyVision = defineLicensed({
  kind: "dolby_vision",
  title: "Dolby Vision",
  payload: dolbyVisionPayload,
  program: "Dolby's licensed Dolby Vision tools",
});
