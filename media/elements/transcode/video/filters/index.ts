import { type FilterRequest, filterList } from "../../filter-schema.ts";
import type { AnyVideoFilter, Pulldown } from "../../filters/filter.ts";
import { oneFilterOf } from "../../filters/one-filter-of.ts";
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

/** The effect of a pulldown on rate and fields; undefined where no filter makes one. */
export const pulldownOf = (requests: readonly FilterRequest[] = []): Pulldown | undefined => {
  const made = requests.map(({ kind, payload }) => videoFilterOf(kind)?.pulldown?.(payload));
  return made.find((pulldown) => pulldown !== undefined);
};

/** Every filter that pictures can be sent through. */
export const videoFilters = filterList("extenc", oneFilterOf(kinds));
