import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";
import { ebur128Parser, loudness } from "./ebur128.ts";

/** What a sound was to reach: LUFS and dBTP. A strict one fails where it is missed. */
const wanted = z.strictObject({
  integrated: z.number(),
  truePeak: z.number(),
  /** LU, if the job narrows the range. */
  range: z.number().optional(),
  what: z.string(),
  isStrict: z.boolean(),
});

/** What EBU R 128 grants where a target cannot be met exactly: half a unit, and as much for peaks as meters differ. */
const tolerance = { integrated: 0.5, truePeak: 0.2, range: 1 };

/** Tells, or fails where the job is strict, if a sound has not the loudness that it was brought to. */
export const loudnessCheckParser: ResultParser = {
  kind: "told",
  begin: (options) => {
    const reader = ebur128Parser.begin();
    return {
      line: reader.line,
      end: () => {
        const target = wanted.parse(options);
        const found = loudness.parse(reader.end());
        const words = missed(found, target);
        if (words.length > 0 && target.isStrict) throw new Error(words.join("; "));
        return words;
      },
    };
  },
};

/** What the sound has instead of what it was to have, one sentence each. */
const missed = (found: z.output<typeof loudness>, { what, ...target }: z.output<typeof wanted>): string[] => {
  const isLoud = Math.abs(found.integrated - target.integrated) <= tolerance.integrated;
  const isBelow = found.truePeak <= target.truePeak + tolerance.truePeak;
  const isNarrow = target.range === undefined || found.range <= target.range + tolerance.range;
  const has = `the sound has ${found.integrated.toFixed(1)} LUFS and peaks of ${found.truePeak.toFixed(1)} dBTP`;
  const wants = `${target.integrated} LUFS and ${target.truePeak} dBTP at most`;
  return [
    ...(isLoud && isBelow ? [] : [`${what}: ${has} instead of ${wants}: peaks leave no room for more`]),
    ...(isNarrow
      ? []
      : [`${what}: the range of loudness is ${found.range.toFixed(1)} LU instead of ${target.range} LU`]),
  ];
};
