import type { Container } from "./container.ts";

export const avi: Container = {
  kinds: ["avi"],
  extensions: [".avi"],
  muxer: "avi",
  probed: "avi",
  family: "avi",
  video: /^v210$/,
  audio: /^pcm_(u8|s16le|s24le|s32le|f32le|f64le|alaw|mulaw)$/,
  // Readers recognise uncoded pictures by their four letters.
  // What MP3 puts before zero would move all by a part of a frame, and AVI then fills the gap with an empty one.
  options: () => ({ avoid_negative_ts: "disabled" }),
  rawFormats: ["uyvy422", "yuyv422", "yuv420p", "yuv422p", "yuv411p"],
};
