import type { Container } from "./container.ts";

/** Holds everything with exact times: for what is made to be processed further. */
export const nut: Container = {
  kinds: ["nut"],
  extensions: [".nut"],
  muxer: "nut",
  isImages: false,
  video: /./,
  audio: /./,
  hasTimecode: false,
  options: () => ({}),
};
