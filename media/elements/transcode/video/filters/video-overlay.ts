import { z } from "zod";
import { looseInteger } from "../../../../../shared/basics/loose-values.ts";
import { location } from "../../../../../shared/files/location.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { applyOverlay, overlayFields } from "./overlay.ts";

/** A film over the picture, so many times; zero: without end. */
export const videoOverlay = defineVideoFilter({
  kind: "video_overlay",
  payload: z.looseObject({
    ...{ video_file: location.optional(), repeat_count: looseInteger(0, 100_000).default(1) },
    ...overlayFields,
  }),
  stage: "converted",
  apply: ({ video_file: file, repeat_count: times, ...wanted }, place) => {
    const film = { file, field: "video_file", args: ["-stream_loop", "-1"], isStill: false };
    return applyOverlay(wanted, times === 0 ? film : { ...film, times }, place);
  },
});
