import { type Container, nothing } from "./container.ts";

/** Sound only: browsers no longer play the pictures that it holds. */
export const ogg: Container = {
  kinds: ["ogg"],
  extensions: [".ogg", ".oga", ".opus"],
  muxer: "ogg",
  probed: "ogg",
  video: nothing,
  audio: /^(vorbis|opus|flac)$/,
};
