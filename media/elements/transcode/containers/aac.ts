import { type Container, nothing } from "./container.ts";

/** AAC with a header before every frame. */
export const aac: Container = {
  kinds: ["aac"],
  extensions: [".aac"],
  muxer: "adts",
  probed: "aac",
  isElementary: true,
  isTimeless: true,
  video: nothing,
  audio: /^aac$/,
};
