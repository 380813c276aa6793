import { z } from "zod";
import type { ResultParser } from "./result.ts";

/** EBU R 128 values of a whole programme, measured with ffmpeg's `loudnorm`: LUFS, LU, dBTP. */
export const loudness = z.strictObject({
  integrated: z.number(),
  range: z.number(),
  truePeak: z.number(),
  threshold: z.number(),
  /** The gain that the filter would still apply to meet its target, in LU. */
  offset: z.number(),
});
export type Loudness = z.output<typeof loudness>;

/** ffmpeg reports silence as `-inf`, which JSON and filters do not support. */
const silent = -99;

const figure = z
  .string()
  .transform((text) => (text === "-inf" ? silent : Number(text)))
  .pipe(z.number().min(-200).max(200));

const printed = z
  .object({ input_i: figure, input_lra: figure, input_tp: figure, input_thresh: figure, target_offset: figure })
  .transform((told) => ({
    integrated: told.input_i,
    range: told.input_lra,
    truePeak: told.input_tp,
    threshold: told.input_thresh,
    offset: told.target_offset,
  }));

/** The JSON block that `loudnorm=print_format=json` prints last. */
export const loudnormParser: ResultParser = {
  kind: "loudness",
  begin: () => {
    let block: string[] | undefined;
    let found: Loudness | undefined;
    return {
      line: (text) => {
        const bare = text.replace(/^(\[[^\]]*\]\s*)+/, "").trim();
        if (bare === "{") block = [];
        if (!block || block.length > 40) return;
        block.push(bare);
        if (bare !== "}") return;
        const read = printed.safeParse(parsedOrNull(block.join("\n")));
        if (read.success) found = read.data;
        block = undefined;
      },
      end: () => {
        if (found) return found;
        throw new Error("loudnorm printed no measurement");
      },
    };
  },
};

const parsedOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};
