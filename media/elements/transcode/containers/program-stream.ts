import { capabilityError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { type Container, type ContainerContext, nothing } from "./container.ts";

/** Bytes of a pack, which is what a sector holds, and bits a second that drives read, by the muxer of a disc. */
const sectors: Readonly<Record<string, Options>> = {
  vcd: { packetsize: 2324, muxrate: 1_411_200 },
  svcd: { packetsize: 2324 },
  dvd: { packetsize: 2048, muxrate: 10_080_000 },
};

const inSectors =
  (muxer: string) =>
  (context: ContainerContext): Options =>
    sectors[discMuxer({ muxer }, context)] ?? {};

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
  options: inSectors("mpeg"),
  video: /^mpeg1video$/,
  audio: /^(mp2|mp3)$/,
};

export const mp2Program: Container = {
  ...streams,
  kinds: ["mp2_program"],
  family: "program_stream",
  extensions: [".mpg", ".mpeg"],
  muxer: "vob",
  options: inSectors("vob"),
};

export const vob: Container = {
  ...streams,
  kinds: ["vob"],
  family: "program_stream",
  extensions: [".vob"],
  muxer: "vob",
  options: inSectors("vob"),
};

/** With the navigation packets and within the limits of a DVD. */
export const dvd: Container = {
  ...streams,
  kinds: ["dvd"],
  extensions: [".vob"],
  muxer: "dvd",
  options: inSectors("dvd"),
  video: /^(mpeg1video|mpeg2video)$/,
  audio: /^(mp2|ac3|pcm_dvd)$/,
};

/** Profile of a program stream -> the muxer that keeps to it. */
const profiles: Readonly<Record<string, string>> = { VCD: "vcd", SVCD: "svcd", DVD: "dvd" };

/** The muxer of a job that asks for a stream within the limits of some disc. */
export const discMuxer = (
  { muxer }: Pick<Container, "muxer">,
  { container, path }: Pick<ContainerContext, "container" | "path">,
): string => {
  const { dvd_compatible, thirdparty_mux_profile: profile } = container;
  if (!isProgramStream(muxer)) return muxer;
  const wished = profile && profiles[profile];
  if (profile !== undefined && wished === undefined) {
    throw capabilityError(`${path}.thirdparty_mux_profile "${profile}" is not implemented`);
  }
  return wished ?? (dvd_compatible ? "dvd" : muxer);
};

const isProgramStream = (muxer: string) => ["mpeg", "vob", "dvd"].includes(muxer);
