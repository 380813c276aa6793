import type { StreamRecipe } from "../recipe.ts";

/** A container that keeps every time stamp of the encoder's pictures exactly, until the sections are combined. */
export type Carrier = "mov" | "mp4";

/** By encoder: those whose sections play on in one another, and what holds them. */
const carriers: Readonly<Record<string, Carrier>> = {
  ...{ libx264: "mp4", libx265: "mp4", libsvtav1: "mp4", "libvpx-vp9": "mp4", mpeg2video: "mp4" },
  ...{ prores_ks: "mov", dnxhd: "mov", mjpeg: "mov" },
};

export const carrierOf = ({ options }: StreamRecipe): Carrier | undefined => carriers[String(options.c)];

/** Whether the encoder counts something through the whole film, and would begin anew in each section. */
export const countsOn = ({ options }: StreamRecipe): boolean =>
  Object.entries(options).some(([name, value]) => value !== undefined && /timecode/.test(`${name}=${value}`));
