import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";
import { type JsonObject, rounded } from "../analyses/analysis.ts";
import { placed } from "./analysis.ts";
import { readOptions } from "./options.ts";

/** Code values are counted in this many classes, whatever the depth. */
export const bins = 256;
/** The height of a column is the sum of so many bytes below one another. */
export const cells = 8;

const histogramOptions = z.strictObject({
  bitDepth: z.number().int().min(8).max(16),
  planes: z.union([z.literal(1), z.literal(3)]),
});
export type HistogramOptions = z.output<typeof histogramOptions>;

const names = ["luma", "chroma_u", "chroma_v"];

/**
 * Columns of drawn histograms, one frame a line in hexadecimal digits: rows of a byte a class and plane. Each plane's
 * columns are as high as its most frequent class, so that only their shares tell something. The result is the share of
 * samples in each class, averaged over the frames.
 */
export const histogramsParser: ResultParser = {
  kind: "analysis",
  begin: (given) => {
    const { bitDepth, planes } = readOptions(histogramOptions, given, "histograms");
    const shares = Array.from({ length: planes }, () => new Float64Array(bins));
    let frames = 0;
    return {
      line: (text) => {
        const bytes = bytesOf(text);
        const width = bins * planes;
        if (bytes.length !== width * cells) return;
        frames += 1;
        for (const [plane, sums] of shares.entries()) addShares(sums, columnsOf(bytes, width, plane * bins));
      },
      end: () => {
        if (frames === 0) throw new Error("ffmpeg drew no histograms");
        const byPlane: JsonObject = {};
        for (const [plane, sums] of shares.entries())
          byPlane[names[plane] ?? ""] = [...sums].map((sum) => rounded(sum / frames));
        const classes = { bins, code_values_per_bin: 2 ** bitDepth / bins };
        return placed("video", { levels: { histograms: { frames, ...classes, ...byPlane } } });
      },
    };
  },
};

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from({ length: Math.floor(hex.length / 2) }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  );

const columnsOf = (bytes: Uint8Array, width: number, from: number): number[] =>
  Array.from({ length: bins }, (_, bin) => {
    let height = 0;
    for (let row = 0; row < cells; row += 1) height += bytes[row * width + from + bin] ?? 0;
    return height;
  });

const addShares = (sums: Float64Array, columns: readonly number[]): void => {
  const whole = columns.reduce((sum, each) => sum + each, 0);
  if (whole === 0) return;
  for (const [bin, height] of columns.entries()) sums[bin] = (sums[bin] ?? 0) + height / whole;
};
