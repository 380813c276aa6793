import { type Container, nothing, plainFile } from "./container.ts";

export const flac: Container = {
  ...plainFile,
  kinds: ["flac"],
  extensions: [".flac"],
  muxer: "flac",
  probed: "flac",
  isElementary: true,
  video: nothing,
  audio: /^flac$/,
};
