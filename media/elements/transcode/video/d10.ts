import { type Rational, toFraction } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { buildFlags } from "./encoding/flags.ts";
import type { VideoContext } from "./video.ts";

/** Megabits a second. */
const speeds = [30, 40, 50];

/** Sizes by rate, with the lines of the blanking interval. */
const heights: Readonly<Record<string, number>> = { "25": 608, "30000/1001": 512 };

/**
 * Bits of a picture's share of the time, and bits a second of which each picture has its whole bytes: all pictures are
 * equally large (SMPTE 386M), which 40 and 50 Mbit/s at 29.97 a second make only without the rest of a byte.
 */
const sharesOf = (bits: number, rate: Rational) => {
  const share = (bits * rate.den) / rate.num;
  const wholeBytes = Math.floor(share / 8) * 8;
  return { buffer: Math.ceil(share), least: Math.ceil((wholeBytes * rate.num) / rate.den) };
};

/** MPEG-2 for IMX recorders (SMPTE 356M): single pictures, all of one size in bits. */
export const d10Options = (context: VideoContext): Options => {
  const { video, path, rate, size, scan } = context;
  const megabits = (video.bitrate_kb ?? 50_000) / 1000;
  const name = rate ? toFraction(rate) : "unknown";
  if (!rate || !heights[name] || !speeds.includes(megabits)) {
    throw definitionError(`${path}: mxf_d10 has 30, 40 or 50 Mbit/s at 25 or 29.97 frames a second`);
  }
  if (size.width !== 720 || size.height !== heights[name]) {
    const wanted = `720x${heights[name]}, of which add_vbi_if_needed adds the first 32 lines`;
    throw definitionError(`${path}: mxf_d10 at ${name} frames a second has pictures of ${wanted}`);
  }
  const bits = megabits * 1_000_000;
  const { buffer, least } = sharesOf(bits, rate);
  return {
    ...{ b: bits, minrate: least, maxrate: bits, bufsize: buffer, rc_init_occupancy: buffer },
    ...{ rc_max_vbv_use: 1, rc_min_vbv_use: 1, g: 0, bf: 0, qmin: 1, qmax: 12, ps: 1, dc: 10 },
    ...{ intra_vlc: 1, non_linear_quant: 1, flags: `${buildFlags({ scan }) ?? "+"}+low_delay`.replace("++", "+") },
  };
};
