import { z } from "zod";
import { looseBoolean } from "../../../../../shared/basics/loose-values.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { scanOf } from "../picture/fields.ts";

/** Qualities in jobs -> those of the motion compensation filter. */
const efforts = { low: "fast", medium: "medium", high: "slow", veryhigh: "extra_slow" } as const;

const payload = z.looseObject({
  interlace_mode: z.enum(["tff", "bff", "auto", "frame_metadata"]).default("auto"),
  motion_compensation: looseBoolean().optional(),
  motion_compensation_quality: z.enum(["low", "medium", "high", "veryhigh"]).optional(),
});

/** One progressive picture of each pair of fields. Motion compensation needs a node whose ffmpeg has `mcdeint`. */
export const deinterlace = defineVideoFilter({
  kind: "deinterlace",
  payload,
  stage: "read",
  apply: (
    { interlace_mode: mode, motion_compensation, motion_compensation_quality: quality = "medium" },
    { picture },
  ) => {
    const parity = parityOf(mode, picture);
    const filters = motion_compensation
      ? compensated(parity, efforts[quality])
      : [
          {
            name: "bwdif",
            options: { mode: "send_frame", parity, deint: mode === "frame_metadata" ? "interlaced" : "all" },
          },
        ];
    return { filters, changed: { fieldOrder: "progressive" } };
  },
});

/** The container's order of fields for `auto`; else each frame's own. */
const parityOf = (mode: string, picture: VideoFacts): string => {
  if (mode === "tff" || mode === "bff") return mode;
  const scan = scanOf(picture);
  return mode === "frame_metadata" || scan === "progressive" ? "auto" : scan;
};

// The filter improves pictures made one for each field; we keep every second one.
const compensated = (parity: string, mode: string): Filter[] => [
  { name: "format", options: { pix_fmts: "yuv420p" } },
  { name: "yadif", options: { mode: "send_field", parity, deint: "all" } },
  { name: "mcdeint", options: { mode, parity: parity === "bff" ? "bff" : "tff" } },
  { name: "framestep", options: { step: 2 } },
];
