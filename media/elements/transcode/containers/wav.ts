import { type Container, nothing } from "./container.ts";

export const wav: Container = {
  kinds: ["wav"],
  extensions: [".wav"],
  muxer: "wav",
  probed: "wav",
  video: nothing,
  audio: /^pcm_(u8|s16le|s24le|s32le|s64le|f32le|f64le|alaw|mulaw)$/,
  // The broadcast form has one chunk more, which says where the sound comes from.
  options: ({ target }) => ({
    write_bext: target.audio?.some(({ pcm_wrapping }) => pcm_wrapping === "bwf") ? 1 : undefined,
  }),
};
