import { type Container, nothing } from "./container.ts";

/** Broadcasters' sound: uncompressed, always 48,000 samples a second. */
const sound = { audio: /^pcm_(s16le|s24le)$/, sampleRates: [48_000] } as const;

export const mxf: Container = {
  ...sound,
  kinds: ["mxf"],
  extensions: [".mxf"],
  muxer: "mxf",
  probed: "mxf",
  needsVideo: true,
  family: "mxf",
  video: nothing,
  hasTimecode: true,
  isInterleavedByPicture: true,
  channelNames: "symbols",
};

/** MPEG-2 of single pictures at 30, 40 or 50 Mbit/s and eight channels of sound, for IMX recorders. */
export const mxfD10: Container = {
  ...mxf,
  kinds: ["mxf_d10"],
  muxer: "mxf_d10",
  family: undefined,
  video: /^mpeg2video$/,
};
