import type { Container } from "./container.ts";

export const wav: Container = {
  kinds: ["wav"],
  extensions: [".wav"],
  muxer: "wav",
  isImages: false,
  video: /^$/,
  audio: /^pcm_(u8|s16le|s24le|s32le|s64le|f32le|f64le)$/,
  hasTimecode: false,
  options: () => ({}),
};
