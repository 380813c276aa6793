import { bitDepthOf, colorSpaceOf, hasAlpha } from "../../../formats/pixel-format.ts";
import type { VideoCodec } from "./video.ts";

export const png: VideoCodec = {
  name: "png",
  probed: "png",
  encoder: "png",
  containers: ["avi", "mov"],
  isIntra: true,
  reads: [],
  isStill: true,
  pixelFormats: ["rgb24", "rgba", "rgb48be", "rgba64be"],
  // Deep red, green and blue stays deep; of films people want small stills.
  pixelFormat: ({ source: { pixelFormat } }) => {
    const isDeep = colorSpaceOf(pixelFormat) === "RGB" && (bitDepthOf(pixelFormat) ?? 8) > 8;
    if (hasAlpha(pixelFormat)) return isDeep ? "rgba64be" : "rgba";
    return isDeep ? "rgb48be" : "rgb24";
  },
  options: () => ({}),
};
