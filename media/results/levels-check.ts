import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";
import { astatsParser, levels } from "./astats.ts";

const wanted = z.strictObject({ what: z.string(), isStrict: z.boolean() });

/** Tells, or fails where the job is strict, if a gain lifts peaks beyond full scale, where they are cut off. */
export const levelsCheckParser: ResultParser = {
  kind: "told",
  begin: (options) => {
    const reader = astatsParser.begin();
    return {
      line: reader.line,
      end: () => {
        const { what, isStrict } = wanted.parse(options);
        const { peak } = levels.parse(reader.end());
        const words = peak > 0 ? [cutPeaks(what, peak)] : [];
        if (words.length > 0 && isStrict) throw new Error(words.join("; "));
        return words;
      },
    };
  },
};

/** `peak` in dBFS, above zero. */
export const cutPeaks = (what: string, peak: number): string =>
  `${what}: the gain lifts peaks to ${peak.toFixed(1)} dBFS, which are cut off: the sound stays below its level`;
