import { type Container, nothing } from "./container.ts";

const samples = { isElementary: true, isBare: true, video: nothing } as const;

/** Eight bits a sample, coded as in telephone networks (A-law, mu-law), without any header. */
export const alaw: Container = {
  ...samples,
  kinds: ["alaw"],
  extensions: [".al", ".alaw"],
  muxer: "alaw",
  audio: /^pcm_alaw$/,
  pcm: () => "pcm_alaw",
};

export const mulaw: Container = {
  ...samples,
  kinds: ["mulaw"],
  extensions: [".ul", ".mulaw", ".ulaw"],
  muxer: "mulaw",
  audio: /^pcm_mulaw$/,
  pcm: () => "pcm_mulaw",
};
