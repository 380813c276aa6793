import { toFraction } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { buildFlags } from "./encoding/flags.ts";
import type { VideoContext } from "./video.ts";

/** Megabits a second -> bits of one picture at 25 and at 29.97 a second, which is all that such a recorder's buffer holds. */
const buffers: Readonly<Record<number, Readonly<Record<string, number>>>> = {
  30: { "25": 1_200_000, "30000/1001": 1_001_000 },
  40: { "25": 1_600_000, "30000/1001": 1_334_667 },
  50: { "25": 2_000_000, "30000/1001": 1_668_333 },
};

/** Sizes by rate, with the lines of the blanking interval. */
const heights: Readonly<Record<string, number>> = { "25": 608, "30000/1001": 512 };

/** MPEG-2 for IMX recorders (SMPTE 356M): single pictures, all of one size in bits. */
export const d10Options = (context: VideoContext): Options => {
  const { video, path, rate, size, scan } = context;
  const megabits = (video.bitrate_kb ?? 50_000) / 1000;
  const name = rate ? toFraction(rate) : "unknown";
  const buffer = buffers[megabits]?.[name];
  if (buffer === undefined) {
    throw definitionError(`${path}: mxf_d10 has 30, 40 or 50 Mbit/s at 25 or 29.97 frames a second`);
  }
  if (size.width !== 720 || size.height !== heights[name]) {
    const wanted = `720x${heights[name]}, of which add_vbi_if_needed adds the first 32 lines`;
    throw definitionError(`${path}: mxf_d10 at ${name} frames a second has pictures of ${wanted}`);
  }
  const bits = megabits * 1_000_000;
  return {
    ...{ b: bits, minrate: bits, maxrate: bits, bufsize: buffer, rc_init_occupancy: buffer },
    ...{ rc_max_vbv_use: 1, rc_min_vbv_use: 1, g: 0, bf: 0, qmin: 1, qmax: 12, ps: 1, dc: 10 },
    ...{ intra_vlc: 1, non_linear_quant: 1, flags: `${buildFlags({ scan }) ?? "+"}+low_delay`.replace("++", "+") },
  };
};
