import type { Filter } from "../ffmpeg/filtergraph.ts";
import {
  type Analysis,
  decibels,
  type Gatherer,
  type JsonObject,
  type MeasuredFrame,
  numberAt,
  pieceSeconds,
  rounded,
  type StreamInfo,
} from "./analysis.ts";
import { gatherIntervals } from "./detected-intervals.ts";
import { regulations } from "./regulations.ts";
import { createSeries } from "./series.ts";

/** Totals of the stream so far; the last frame has those of the whole stream. */
const astats = {
  name: "astats",
  options: {
    metadata: 1,
    measure_perchannel: "none",
    measure_overall: "DC_offset+Peak_level+RMS_level+RMS_peak+RMS_trough+Flat_factor+Noise_floor",
  },
} as const;

/** Keeps the last value of every key that it names. */
const gatherLast = (
  keys: readonly string[],
  finish: (last: (key: string) => number | undefined) => JsonObject,
): Gatherer => {
  const last = new Map<string, number>();
  return {
    frame: (frame) => {
      for (const key of keys) {
        const value = numberAt(frame, key);
        if (value !== undefined) last.set(key, value);
      }
    },
    end: () => finish((key) => last.get(key)),
  };
};

const overall = (name: string) => `lavfi.astats.Overall.${name}`;
const levelKeys = ["DC_offset", "Peak_level", "RMS_level", "RMS_peak", "RMS_trough", "Noise_floor"].map(overall);

/** Levels over the whole track and all of its channels, in dBFS. */
export const levels: Analysis<object> = {
  filters: () => [astats],
  gather: () =>
    gatherLast(levelKeys, (last) => {
      const [rms, peak] = [last(overall("RMS_level")), last(overall("Peak_level"))];
      const [loudest = Number.NEGATIVE_INFINITY, quietest = 0] = [
        last(overall("RMS_peak")),
        last(overall("RMS_trough")),
      ];
      // Sound shorter than the filter's window of 50 ms has none: the first stays without end, the other one above 0.
      const isShort = loudest === Number.NEGATIVE_INFINITY || quietest > 0;
      return {
        rms_level_db: decibels(rms),
        peak_level_db: decibels(peak),
        rms_peak_db: decibels(isShort ? rms : loudest),
        rms_trough_db: decibels(isShort ? rms : quietest),
        noise_floor_db: decibels(last(overall("Noise_floor"))),
        dc_offset: rounded(last(overall("DC_offset")) ?? 0),
      };
    }),
};

/** Mean (root mean square) and maximum volume, in dBFS. */
export const volume: Analysis<object> = {
  filters: () => [astats],
  gather: () =>
    gatherLast(levelKeys, (last) => ({
      mean_volume_db: decibels(last(overall("RMS_level"))),
      max_volume_db: decibels(last(overall("Peak_level"))),
    })),
};

type Silence = { duration_sec: number; noise_db: number };

/** All channels below the limit for long enough: ffmpeg's silencedetect. */
export const silence: Analysis<Silence> = {
  filters: ({ noise_db, duration_sec }) => [
    { name: "silencedetect", options: { noise: `${noise_db}dB`, duration: duration_sec } },
  ],
  gather: ({ duration_sec, noise_db }, _info, version) =>
    gatherIntervals({
      ...{ startKey: "lavfi.silence_start", endKey: "lavfi.silence_end", atLeast: duration_sec, version },
      settings: { duration_sec, noise_db },
    }),
};

// Debian's ffmpeg 5.1 does not support `framelog=quiet`.
const r128 = { name: "ebur128", options: { metadata: 1, peak: "true+sample", framelog: "verbose" } } as const;
/** The filter tells nothing of a last piece that is shorter than a tenth of a second, so it is filled with silence. */
const measured = ({ rate }: StreamInfo): Filter[] => [
  { name: "asetnsamples", options: { n: Math.max(1, Math.round(rate * pieceSeconds)), p: 1 } },
  r128,
];

type Loudness = {
  readonly integrated: number;
  readonly range: number;
  readonly truePeak: number;
  readonly samplePeak: number;
};

/** ffmpeg reports peaks as amplitudes. */
const decibelsOf = (amplitude: number | undefined): number => decibels(20 * Math.log10(amplitude ?? 0));

/** The lower end of a loudness chart: quieter values would leave no room for the rest. LUFS. */
const quietChart = -60;

/** The filter's word for silence, and for a window that is not full yet. LUFS. */
const nothingYet = -120;
/** Seconds that EBU Tech 3341 asks for: one block of the gating, and the window of short-term loudness. */
const windows = { momentary: 0.4, shortTerm: 3 };

const gatherLoudness = (finish: (loudness: Loudness) => JsonObject): Gatherer => {
  const chart = createSeries("Momentary loudness", "LUFS");
  let [maxMomentary, maxShortTerm] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** The last pieces of a tenth of a second. */
  let [before, last]: readonly (MeasuredFrame | undefined)[] = [];
  const larger = (frame: MeasuredFrame, key: string, than: number) => {
    const value = numberAt(frame, key) ?? nothingYet;
    return value < nothingYet + 1 ? than : Math.max(than, value);
  };
  return {
    frame: (frame) => {
      [before, last] = [last, frame];
      const momentary = numberAt(frame, "lavfi.r128.M");
      if (momentary !== undefined) chart.add(Math.max(quietChart, momentary), frame.seconds);
      maxMomentary = larger(frame, "lavfi.r128.M", maxMomentary);
      maxShortTerm = larger(frame, "lavfi.r128.S", maxShortTerm);
    },
    end: (seconds) => {
      // Blocks that are not full count in no gating, but peaks do.
      const isFilled = last !== undefined && seconds < last.seconds + pieceSeconds - 0.001;
      const full = isFilled ? (before ?? last) : last;
      const at = (frame: MeasuredFrame | undefined, key: string) => frame && numberAt(frame, `lavfi.r128.${key}`);
      return {
        ...(seconds < windows.momentary && { is_too_short: true }),
        ...finish({
          integrated: decibels(at(full, "I")),
          range: rounded(at(full, "LRA") ?? 0),
          truePeak: decibelsOf(at(last, "true_peak")),
          samplePeak: decibelsOf(at(last, "sample_peak")),
        }),
        ...(seconds >= windows.momentary && { max_momentary_lufs: decibels(maxMomentary) }),
        ...(seconds >= windows.shortTerm && { max_short_term_lufs: decibels(maxShortTerm) }),
        ...chart.figures(),
      };
    },
  };
};

type Ebur128 = {
  readonly target_reference?:
    | {
        readonly integrated_lufs?: number | undefined;
        readonly loudness_lra_lufs?: number | undefined;
        readonly true_peak_dbfs?: number | undefined;
      }
    | undefined;
};

/** Loudness by EBU R 128 and ITU-R BS.1770-4: LUFS, LU, dBTP. */
export const ebur128: Analysis<Ebur128> = {
  filters: (_settings, info) => measured(info),
  gather: ({ target_reference: target = {} }) =>
    gatherLoudness(({ integrated, range, truePeak, samplePeak }) => ({
      integrated_lufs: integrated,
      loudness_lra_lufs: range,
      true_peak_dbfs: truePeak,
      sample_peak_dbfs: samplePeak,
      ...(target.integrated_lufs !== undefined && {
        integrated_lufs_difference: rounded(integrated - target.integrated_lufs),
      }),
      ...(target.true_peak_dbfs !== undefined && {
        true_peak_dbfs_difference: rounded(truePeak - target.true_peak_dbfs),
      }),
    })),
};

const judged =
  (target: number, tolerance: number, peak: number) =>
  (loudness: Loudness): JsonObject => ({
    integrated_lufs: loudness.integrated,
    loudness_lra_lufs: loudness.range,
    true_peak_dbfs: loudness.truePeak,
    loudness_target: target,
    passed: Math.abs(loudness.integrated - target) <= tolerance && loudness.truePeak <= peak,
  });

/** Loudness of the programme against a regulation. */
export const loudness: Analysis<{ preset: keyof typeof regulations }> = {
  filters: (_settings, info) => measured(info),
  gather: ({ preset }) => {
    const { target, tolerance, peak } = regulations[preset];
    return gatherLoudness(judged(target, tolerance, peak));
  },
};

type Professional = {
  readonly regulation_type?: string | undefined;
  readonly loudness_target?: number | undefined;
  readonly peak_limit_db?: number | undefined;
};

/** A licensed meter would gate by dialogue; this one gates by level (ITU-R BS.1770-4), and the result says so. */
export const professionalLoudness: Analysis<Professional> = {
  filters: (_settings, info) => measured(info),
  gather: ({ regulation_type: type = "atsc_a85_fixed", loudness_target, peak_limit_db }) => {
    const known = Object.entries(regulations).find(([name]) => name === type)?.[1] ?? regulations.atsc_a85_fixed;
    const judge = judged(loudness_target ?? known.target, known.tolerance, peak_limit_db ?? known.peak);
    return gatherLoudness((found) => ({
      measure: "level-gated (ITU-R BS.1770-4); dialogue gating needs a licensed meter",
      regulation_type: type,
      ...judge(found),
      dialnorm: Math.max(-31, Math.min(-1, Math.round(found.integrated))),
    }));
  },
};
