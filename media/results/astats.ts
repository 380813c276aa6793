import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";

/** Levels over a whole track and all of its channels, measured with ffmpeg's `astats`, in dBFS. */
export const levels = z.strictObject({ peak: z.number(), rms: z.number() });
/** ffmpeg reports silence as `-inf`, which JSON and filters do not support. */
const silent = -99;

/** The lines of the last block: of all channels together. */
export const astatsParser: ResultParser = {
  kind: "levels",
  begin: () => {
    const found: { peak?: number; rms?: number } = {};
    return {
      line: (text) => {
        const [, name, value = ""] = /(Peak|RMS) level dB:\s*(\S+)\s*$/.exec(text) ?? [];
        const level = value === "-inf" ? silent : Number(value);
        if (name === undefined || !Number.isFinite(level)) return;
        if (name === "Peak") found.peak = level;
        if (name === "RMS") found.rms = level;
      },
      end: () => {
        const read = levels.safeParse(found);
        if (read.success) return read.data;
        throw new Error("astats printed no levels");
      },
    };
  },
};
