import { timedText } from "../subtitles/forms.ts";
import type { Container } from "./container.ts";
import { movOptions } from "./options/movflags.ts";

export const mov: Container = {
  kinds: ["mov"],
  extensions: [".mov"],
  muxer: "mov",
  probed: "mov,mp4,m4a,3gp,3g2,mj2",
  family: "mov",
  video: /^(v210|qtrle)$/,
  audio: /^pcm_(s8|u8|s16[lb]e|s24[lb]e|s32[lb]e|f32[lb]e|f64[lb]e|alaw|mulaw)$/,
  texts: timedText,
  hasTimecode: true,
  channelNames: "labels",
  needsDataTracks: true,
  // Planar pictures have no name in QuickTime: ffmpeg would write them, but nobody could read them.
  rawFormats: [
    ...["uyvy422", "yuyv422", "rgb24", "bgr24", "rgba", "bgra", "argb", "rgb48be", "gray", "gray16be", "monow"],
  ],
  options: movOptions,
};
