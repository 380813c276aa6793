import type { StreamRecipe } from "../recipe.ts";

/** A container that keeps every time stamp of the encoder's pictures exactly, until the sections are combined. */
export type Carrier = "mov" | "mp4";

/** By encoder: those whose sections play on in one another, and what holds them. */
const carriers: Readonly<Record<string, Carrier>> = {
  ...{ libx264: "mp4", libx265: "mp4", libsvtav1: "mp4", "libvpx-vp9": "mp4", mpeg2video: "mp4" },
  ...{ prores_ks: "mov", dnxhd: "mov", mjpeg: "mov" },
};

/** Options by which an encoder writes something that goes on through the whole film. */
const continuous = /nal-hrd|gop_timecode|timecode/;

export const carrierOf = ({ options }: StreamRecipe): Carrier | undefined => {
  const words = Object.entries(options).filter(([, value]) => value !== undefined);
  if (words.some((pair) => continuous.test(pair.join("=")))) return undefined;
  return carriers[String(options.c)];
};
