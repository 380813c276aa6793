import { rounded } from "../analyses/analysis.ts";
import { placed } from "./analysis.ts";
import type { ResultParser } from "./result.ts";

/** Identical sound has no noise at all; JSON has no infinity. dB. */
const identical = 200;

/** The last lines of ffmpeg's `apsnr`, one per channel. Options: the entry of the payload's list. */
export const audioPsnrParser: ResultParser = {
  kind: "analysis",
  begin: (options) => {
    const at = typeof options === "number" ? options : 0;
    const channels: number[] = [];
    return {
      line: (text) => {
        const found = /PSNR ch(\d+):\s*(-?[\d.]+|inf)\s*dB/i.exec(text);
        if (found && channels.length < 64) channels.push(found[2] === "inf" ? identical : rounded(Number(found[2])));
      },
      end: () => {
        if (channels.length === 0) throw new Error("apsnr printed nothing");
        const mean = channels.reduce((sum, each) => sum + each, 0) / channels.length;
        return placed(at, { psnr: { mean: rounded(mean), min: Math.min(...channels), channels } });
      },
    };
  },
};
