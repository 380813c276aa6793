import { capabilityError } from "../../../../shared/model/failure.ts";
import { type Container, type ContainerContext, nothing } from "./container.ts";

const streams = {
  probed: "mpeg",
  video: nothing,
  audio: /^pcm_dvd$/,
  pcm: () => "pcm_dvd",
  // MP4 and Matroska have lengths where this has start codes; what has them already passes unchanged.
  copying: (codec: string) => (/^(h264|hevc)$/.test(codec) ? `${codec}_mp4toannexb` : undefined),
} as const;

/** The stream of Video CDs. */
export const mp1System: Container = {
  ...streams,
  kinds: ["mp1_system"],
  extensions: [".mpg"],
  muxer: "mpeg",
  video: /^mpeg1video$/,
  audio: /^(mp2|mp3)$/,
};

export const mp2Program: Container = {
  ...streams,
  kinds: ["mp2_program"],
  family: "program_stream",
  extensions: [".mpg", ".mpeg"],
  muxer: "vob",
};

export const vob: Container = {
  ...streams,
  kinds: ["vob"],
  family: "program_stream",
  extensions: [".vob"],
  muxer: "vob",
};

/** With the navigation packets and within the limits of a DVD. */
export const dvd: Container = {
  ...streams,
  kinds: ["dvd"],
  extensions: [".vob"],
  muxer: "dvd",
  video: /^(mpeg1video|mpeg2video)$/,
  audio: /^(mp2|ac3|pcm_dvd)$/,
};

/** Profile of a program stream -> the muxer that keeps to it. */
const profiles: Readonly<Record<string, string>> = { VCD: "vcd", SVCD: "svcd", DVD: "dvd" };

/** The muxer of a job that asks for a stream within the limits of some disc. */
export const discMuxer = ({ muxer }: Container, { container, path }: Pick<ContainerContext, "container" | "path">) => {
  const { dvd_compatible, thirdparty_mux_profile: profile } = container;
  if (!isProgramStream(muxer)) return muxer;
  const wished = profile && profiles[profile];
  if (profile !== undefined && wished === undefined) {
    throw capabilityError(`${path}.thirdparty_mux_profile "${profile}" is not implemented`);
  }
  return wished ?? (dvd_compatible ? "dvd" : muxer);
};

const isProgramStream = (muxer: string) => ["mpeg", "vob", "dvd"].includes(muxer);
