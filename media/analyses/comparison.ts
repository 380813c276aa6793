import type { Filter } from "../ffmpeg/filtergraph.ts";
import { type Gatherer, type MeasuredFrame, numberAt } from "./analysis.ts";
import { createSeries } from "./series.ts";
import { createStatistics } from "./statistics.ts";

/**
 * A comparison of two pictures frame by frame: one filter with two inputs (what is judged, then the reference), and what
 * becomes of its notes.
 */
export type Comparison = {
  readonly filter: Filter;
  readonly gather: () => Gatherer;
};

/** Identical pictures have no noise at all; JSON knows no infinity. dB. */
const identical = 100;

const gatherOne = (measure: (frame: MeasuredFrame) => number | undefined, title: string, unit: string): Gatherer => {
  const statistics = createStatistics();
  const chart = createSeries(title, unit);
  return {
    frame: (frame) => {
      const value = measure(frame);
      if (value === undefined) return;
      statistics.add(value, frame);
      chart.add(value, frame.seconds);
    },
    end: () => ({ frames: statistics.count(), ...statistics.figures(), ...chart.figures() }),
  };
};

/** Peak signal-to-noise ratio of all planes, in dB; the mean is that of the frames' figures. */
export const psnr: Comparison = {
  filter: { name: "psnr" },
  gather: () =>
    gatherOne(
      (frame) => {
        const value = numberAt(frame, "lavfi.psnr.psnr_avg");
        // Of identical frames ffmpeg prints `inf`, which is no number.
        return frame.keys.get("lavfi.psnr.psnr_avg") === "inf" ? identical : value && Math.min(identical, value);
      },
      "PSNR",
      "dB",
    ),
};

/** Structural similarity (Wang et al., 2004), 0 to 1. */
export const ssim: Comparison = {
  filter: { name: "ssim" },
  gather: () => gatherOne((frame) => numberAt(frame, "lavfi.ssim.All"), "SSIM", ""),
};

/** What is judged by VMAF's default model, in the columns of libvmaf's CSV log. */
export const vmafModel = "vmaf_v0.6.1";
