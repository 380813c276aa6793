import type { Container } from "./container.ts";

export const mkv: Container = {
  kinds: ["mkv"],
  extensions: [".mkv", ".mka"],
  muxer: "matroska",
  isImages: false,
  video: /./,
  audio: /./,
  hasTimecode: false,
  options: () => ({}),
};
