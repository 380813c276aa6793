import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { bitDepthOf, colorSpaceOf } from "../../../../formats/pixel-format.ts";
import type { VideoTarget } from "../schema.ts";

/**
 * Limits the picture to the code values of 7.5 to 100 IRE: luma from 16 to 235, chroma to 240, of 8 bits. Throws TaskError
 * `definition` for pictures whose code values mean something else.
 */
export const safeLevels = (video: VideoTarget, pixelFormat: string, path: string): Filter[] => {
  if (!video.use_broadcast_safe) return [];
  if (colorSpaceOf(pixelFormat) === "RGB" || pixelFormat.startsWith("yuvj") || video.ire_range_mode === "full")
    throw definitionError(`${path}.use_broadcast_safe needs the limited range of YUV, not ${pixelFormat}`);
  const scale = 2 ** ((bitDepthOf(pixelFormat) ?? 8) - 8);
  const limited = (planes: number, most: number): Filter => ({
    name: "limiter",
    options: { min: 16 * scale, max: most * scale, planes },
  });
  return [limited(1, 235), limited(6, 240)];
};
