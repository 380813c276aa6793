import { type Container, nothing } from "./container.ts";

/** Sound only: of pictures it knows none that browsers still play. */
export const ogg: Container = {
  kinds: ["ogg"],
  extensions: [".ogg", ".oga", ".opus"],
  muxer: "ogg",
  probed: "ogg",
  video: nothing,
  audio: /^(vorbis|opus|flac)$/,
};
