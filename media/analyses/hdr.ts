import { type Analysis, type JsonObject, numberAt } from "./analysis.ts";
import { createStatistics } from "./statistics.ts";
import { signalstats } from "./video.ts";

/**
 * Light levels of a PQ or HLG picture in cd/m², from its luma alone. A saturated colour is brighter than its luma says,
 * so these are lower bounds of MaxCLL and MaxFALL. HLG's depend on the display: these are of one of 1,000 cd/m².
 */
export const hdrStats: Analysis<object> = {
  filters: () => [signalstats],
  gather: (_settings, info) => {
    const [peak, average] = [createStatistics(), createStatistics()];
    const transfer = transfers[info.transfer];
    return {
      frame: (frame) => {
        const [max, mean] = [numberAt(frame, "lavfi.signalstats.YMAX"), numberAt(frame, "lavfi.signalstats.YAVG")];
        if (!transfer || max === undefined || mean === undefined) return;
        peak.add(transfer.nits(signalOf(max, info)), frame);
        average.add(transfer.nits(signalOf(mean, info)), frame);
      },
      end: (): JsonObject => {
        if (!transfer) return { is_hdr: false, transfer: info.transfer };
        const [cll, fall] = [peak.figures(), average.figures()];
        return {
          is_hdr: true,
          measure: transfer.measure,
          max_cll: cll.max ?? 0,
          max_fall: fall.max ?? 0,
          peak: cll,
          average: fall,
        };
      },
    };
  },
};

/** A code value as a signal from 0 to 1. */
const signalOf = (code: number, { bitDepth, isFullRange }: { bitDepth: number; isFullRange: boolean }): number => {
  const unit = 2 ** (bitDepth - 8);
  const signal = isFullRange ? code / (2 ** bitDepth - 1) : (code - 16 * unit) / (219 * unit);
  return Math.min(1, Math.max(0, signal));
};

/** SMPTE ST 2084, equation 4.1. */
const pqNits = (signal: number): number => {
  const [m1, m2, c1, c2, c3] = [2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128];
  const power = signal ** (1 / m2);
  return 10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
};

/** ITU-R BT.2100: the inverse OETF, then the OOTF of a display of 1,000 cd/m² for a colourless picture. */
const hlgNits = (signal: number): number => {
  const [a, b, c] = [0.17883277, 0.28466892, 0.55991073];
  const scene = signal <= 0.5 ? signal ** 2 / 3 : (Math.exp((signal - c) / a) + b) / 12;
  return 1000 * scene ** 1.2;
};

const transfers: Readonly<Record<string, { readonly measure: string; nits(signal: number): number }>> = {
  smpte2084: { measure: "luma", nits: pqNits },
  "arib-std-b67": { measure: "luma, on a display of 1000 cd/m²", nits: hlgNits },
};
