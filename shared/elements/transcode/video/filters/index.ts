import type { z } from "zod";
import { filterList } from "../../filter-schema.ts";
import { oneFilterOf } from "../../filters/discriminated.ts";
import { type AnyVideoFilter, defineVideoFilter } from "../../filters/filter.ts";
import { notImplemented } from "../../not-yet.ts";
import { crop } from "./crop.ts";
import { deinterlace } from "./deinterlace.ts";
import { fade } from "./fade.ts";
import { gaussianBlur } from "./gaussian-blur.ts";
import { colorConvert, extenc, imageOverlay, printSubtitle, printTimecode, telecine, videoOverlay } from "./schema.ts";

const coming = (kind: string, payload: z.ZodType) =>
  defineVideoFilter({
    kind,
    payload,
    stage: "converted",
    apply: (_payload, { path }) => notImplemented(`${path}: a filter of kind`, kind),
  });

/** Every filter of pictures. A new one is one file and one line here. */
const kinds: readonly AnyVideoFilter[] = [
  ...[crop, deinterlace, fade, gaussianBlur],
  coming("print_timecode", printTimecode),
  coming("print_subtitle", printSubtitle),
  coming("image_overlay", imageOverlay),
  coming("video_overlay", videoOverlay),
  coming("telecine", telecine),
  coming("color_convert", colorConvert),
  coming("extenc", extenc),
];

export const videoFilterOf = (kind: string): AnyVideoFilter | undefined => kinds.find((each) => each.kind === kind);

/** Every filter that pictures can be sent through. */
export const videoFilters = filterList("extenc", oneFilterOf(kinds));
