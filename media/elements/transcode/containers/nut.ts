import type { Container } from "./container.ts";

/** Holds everything with exact times: for files that will be processed further. */
export const nut: Container = {
  kinds: ["nut"],
  extensions: [".nut"],
  muxer: "nut",
  probed: "nut",
  // DNxHD has no name in it.
  video: /^(?!dnxhd)/,
  // It writes E-AC-3 under the name of AC-3, and leaves out what these others need.
  audio: /^(?!eac3|alac|s302m)/,
};
