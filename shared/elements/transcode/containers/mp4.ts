import type { Container } from "./container.ts";
import { movOptions } from "./movflags.ts";

export const mp4: Container = {
  kinds: ["mp4"],
  extensions: [".mp4", ".m4v", ".m4a"],
  muxer: "mp4",
  isImages: false,
  video: /^(h264|hevc|av1|vp9|mpeg4|mpeg2video|mpeg1video)$/,
  audio: /^(aac|mp3|mp2|ac3|eac3|alac|opus|flac|dts)$/,
  hasTimecode: true,
  options: movOptions,
};
