import type { Container } from "./container.ts";

export const avi: Container = {
  kinds: ["avi"],
  extensions: [".avi"],
  muxer: "avi",
  probed: "avi",
  video: /^(h264|mpeg1video|mpeg2video|mpeg4|vp8|av1|dvvideo|mjpeg|jpeg2000|png|rawvideo)$/,
  audio: /^(mp2|mp3|ac3|pcm_(u8|s16le|s24le|s32le|f32le|f64le|alaw|mulaw))$/,
  // Readers recognise uncoded pictures by their four letters.
  rawFormats: ["uyvy422", "yuyv422", "yuv420p", "yuv422p", "yuv411p"],
};
