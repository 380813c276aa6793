import { matroskaTexts } from "../subtitles/forms.ts";
import type { Container } from "./container.ts";

const noPcm = "(?!pcm_(s8|s64be|f32be|f64be|u16|u24|u32|dvd|bluray))";

export const mkv: Container = {
  kinds: ["mkv"],
  extensions: [".mkv", ".mka"],
  muxer: "matroska",
  probed: "matroska,webm",
  // Matroska has no name of its own for DNxHD.
  video: /^(?!dnxhd)/,
  texts: matroskaTexts,
  // The other formats have no name in Matroska.
  rawFormats: ["yuv420p", "yuv422p", "yuv411p", "yuv410p", "nv12", "uyvy422", "yuyv422", "rgba", "gray"],
  audio: new RegExp(`^${noPcm}(?!s302m).`),
};
