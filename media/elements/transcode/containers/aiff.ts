import { type Container, nothing } from "./container.ts";

export const aiff: Container = {
  kinds: ["aiff"],
  extensions: [".aiff", ".aif"],
  muxer: "aiff",
  probed: "aiff",
  channelNames: "masks",
  video: nothing,
  audio: /^pcm_(s8|s16be|s24be|s32be|f32be|f64be)$/,
  pcm: (bits) => (bits === 8 ? "pcm_s8" : `pcm_s${bits}be`),
};
