import { type Container, nothing } from "./container.ts";

export const mp3: Container = {
  kinds: ["mp3"],
  extensions: [".mp3"],
  muxer: "mp3",
  probed: "mp3",
  isElementary: true,
  video: nothing,
  audio: /^mp3$/,
};
