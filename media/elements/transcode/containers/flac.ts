import { type Container, nothing } from "./container.ts";

export const flac: Container = {
  kinds: ["flac"],
  extensions: [".flac"],
  muxer: "flac",
  probed: "flac",
  isElementary: true,
  video: nothing,
  audio: /^flac$/,
};
