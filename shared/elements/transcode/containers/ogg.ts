import { type Container, nothing, plainFile } from "./container.ts";

/** Sound only: of pictures it knows none that browsers still play. */
export const ogg: Container = {
  ...plainFile,
  kinds: ["ogg"],
  extensions: [".ogg", ".oga", ".opus"],
  muxer: "ogg",
  probed: "ogg",
  video: nothing,
  audio: /^(vorbis|opus|flac)$/,
};
