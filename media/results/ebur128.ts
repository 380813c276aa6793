import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";

/** EBU R 128 values of a whole programme: LUFS, LU, dBTP. */
export const loudness = z.strictObject({
  integrated: z.number(),
  range: z.number(),
  truePeak: z.number(),
  threshold: z.number(),
  /** The gain that a filter would still apply to meet its target, in LU. */
  offset: z.number(),
});

/** Silence has no loudness: it is reported as this value, which every filter accepts. */
const silent = -99;

/** The relative gate is 10 LU below the loudness of the whole, which differs little from the gated loudness. */
const gate = 10;

const names = { I: "integrated", LRA: "range", peak: "truePeak" } as const;
/** The loudest sample four times oversampled is the true peak: the meter's own figure has three digits of amplitude. */
const peakNote = "lavfi.astats.Overall.Peak_level";

/** Notes that `ametadata` printed for `ebur128` and `astats`: the last frame has the values of the whole programme. */
export const ebur128Parser: ResultParser = {
  kind: "loudness",
  begin: () => {
    const found = new Map<string, number>();
    return {
      line: (text) => {
        const [, key, value] =
          /^(lavfi\.r128\.I|lavfi\.r128\.LRA|lavfi\.astats\.Overall\.Peak_level)=(\S+)$/.exec(text) ?? [];
        const name = key === peakNote ? "peak" : key?.replace("lavfi.r128.", "");
        if (name !== undefined) found.set(name, Number(value));
      },
      end: () => {
        const figures = Object.fromEntries(Object.entries(names).map(([from, to]) => [to, finite(from, found)]));
        const { integrated = silent } = figures;
        const read = loudness.safeParse({ ...figures, threshold: Math.max(silent, integrated - gate), offset: 0 });
        if (read.success && found.size > 0) return read.data;
        throw new Error("ebur128 printed no measurement");
      },
    };
  },
};

const finite = (name: string, found: ReadonlyMap<string, number>): number => {
  const value = found.get(name) ?? (name === "peak" ? silent : 0);
  if (name === "LRA") return Number.isFinite(value) ? value : 0;
  return Number.isFinite(value) ? Math.max(silent, value) : silent;
};
