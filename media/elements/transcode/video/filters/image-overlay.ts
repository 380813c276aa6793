import { z } from "zod";
import { location } from "../../../../../shared/files/location.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { applyOverlay, overlayFields } from "./overlay.ts";

/** A still over the picture. */
export const imageOverlay = defineVideoFilter({
  kind: "image_overlay",
  payload: z.looseObject({ image_file: location.optional(), ...overlayFields }),
  stage: "converted",
  apply: ({ image_file: file, ...wanted }, place) =>
    applyOverlay(wanted, { file, field: "image_file", args: [], isStill: true }, place),
});
