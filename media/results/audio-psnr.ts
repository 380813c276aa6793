import type { ResultParser } from "../../shared/model/step-result.ts";
import { decibels, numberAt, rounded } from "../analyses/analysis.ts";
import { placed } from "./analysis.ts";
import { createFrameReader } from "./frame-metadata.ts";

/** Identical sound has no noise at all; JSON has no infinity. dB. */
const identical = 200;

/**
 * The level of the difference of two sounds, per channel, as ffmpeg's `astats` notes it: below full scale, it is their
 * PSNR. Options: the entry of the payload's list.
 */
export const audioPsnrParser: ResultParser = {
  kind: "analysis",
  begin: (options) => {
    const at = typeof options === "number" ? options : 0;
    let channels: number[] = [];
    // Levels are those up to each frame, so the last frame has those of the whole sound.
    const reader = createFrameReader((frame) => {
      const levels: number[] = [];
      for (let channel = 1; channel <= 64; channel += 1) {
        const level = numberAt(frame, `lavfi.astats.${channel}.RMS_level`);
        if (level === undefined) break;
        levels.push(Math.min(identical, rounded(-decibels(level))));
      }
      if (levels.length > 0) channels = levels;
    });
    return {
      line: reader.line,
      end: () => {
        reader.end();
        if (channels.length === 0) throw new Error("no sound was compared");
        const mean = channels.reduce((sum, each) => sum + each, 0) / channels.length;
        return placed(at, { psnr: { mean: rounded(mean), min: Math.min(...channels), channels } });
      },
    };
  },
};
