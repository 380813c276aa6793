import { toFraction, toNumber } from "../../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { VideoContext } from "../video.ts";

/** Frames a second that the headers of MPEG-1 and MPEG-2 have a number for. */
export const mpegRates: readonly string[] = ["24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60"];

export const checkMpegRate = ({ rate, path }: VideoContext, codec: string): void => {
  if (!rate || mpegRates.includes(toFraction(rate))) return;
  const found = Math.round(toNumber(rate) * 1000) / 1000;
  throw definitionError(`${path}.frame_rate ${found}: ${codec} has ${mpegRates.join(", ")}`);
};
