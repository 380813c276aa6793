import { filterList } from "../../filter-schema.ts";
import { oneFilterOf } from "../../filters/discriminated.ts";
import type { AnyVideoFilter } from "../../filters/filter.ts";
import { colorConvert } from "./color-convert.ts";
import { crop } from "./crop.ts";
import { deinterlace } from "./deinterlace.ts";
import { extenc } from "./extenc.ts";
import { fade } from "./fade.ts";
import { gaussianBlur } from "./gaussian-blur.ts";
import { imageOverlay } from "./image-overlay.ts";
import { printSubtitle } from "./print-subtitle.ts";
import { printTimecode } from "./print-timecode.ts";
import { telecine } from "./telecine.ts";
import { videoOverlay } from "./video-overlay.ts";

/** Every filter of pictures. A new one is one file and one line here. */
const kinds: readonly AnyVideoFilter[] = [
  ...[
    colorConvert,
    crop,
    deinterlace,
    extenc,
    fade,
    gaussianBlur,
    imageOverlay,
    printSubtitle,
    printTimecode,
    telecine,
  ],
  videoOverlay,
];

export const videoFilterOf = (kind: string): AnyVideoFilter | undefined => kinds.find((each) => each.kind === kind);

/** Every filter that pictures can be sent through. */
export const videoFilters = filterList("extenc", oneFilterOf(kinds));
