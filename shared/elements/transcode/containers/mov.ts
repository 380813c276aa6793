import type { Container } from "./container.ts";
import { movOptions } from "./movflags.ts";

export const mov: Container = {
  kinds: ["mov"],
  extensions: [".mov"],
  muxer: "mov",
  isImages: false,
  video: /^(h264|hevc|prores|dnxhd|mpeg4|mpeg2video|dvvideo|jpeg2000|v210|qtrle|rawvideo)$/,
  audio: /^(aac|mp3|ac3|eac3|alac|pcm_(s8|u8|[sf](16|24|32|64)[lb]e))$/,
  hasTimecode: true,
  // Planar pictures have no name in QuickTime: they would be written, and nobody could read them.
  rawFormats: [
    ...["uyvy422", "yuyv422", "rgb24", "bgr24", "rgba", "bgra", "argb", "rgb48be", "gray", "gray16be", "monow"],
  ],
  options: movOptions,
};
