import { isHighDynamic } from "../../../../ffmpeg/color.ts";
import { bitDepthOf } from "../../../../formats/pixel-format.ts";
import { wantedColors } from "../picture/color.ts";
import type { VideoContext } from "../video.ts";

/**
 * The pixel format that most players take of a codec, where the job does not choose: 4:2:0, full range only if the
 * source is. A high dynamic range needs 10 bits; otherwise `keepsDepth` says whether a deep source stays deep.
 */
export const playableFormat = ({ video, source }: VideoContext, keepsDepth: boolean): string => {
  const isDeep = (bitDepthOf(source.pixelFormat) ?? 8) > 8;
  const isHdr = isHighDynamic(wantedColors(video).transfer ?? source.colorTransfer);
  if (isDeep && (keepsDepth || isHdr)) return "yuv420p10le";
  return source.pixelFormat?.startsWith("yuvj") && video.ire_range_mode !== "limited" ? "yuvj420p" : "yuv420p";
};
