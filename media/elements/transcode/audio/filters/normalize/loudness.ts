import { definitionError } from "../../../../../../shared/model/failure.ts";
import type { Filter, FilterValue } from "../../../../../ffmpeg/filtergraph.ts";
import type { LoudnessFigures } from "../../../filters/analyzed.ts";
import type { Meter } from "../../../filters/extras.ts";
import type { AudioPlace } from "../../../filters/filter.ts";
import type { LoudnessSource } from "./fields.ts";
import { around, type Figure } from "./kind.ts";
import { analysisOf } from "./sources.ts";

export type LoudnessTarget = {
  /** LUFS. */
  readonly integrated: number;
  /** LU; absent: the range stays as it is. */
  readonly range?: number | undefined;
  /** dBTP. */
  readonly truePeak: number;
};

type Measured = {
  readonly integrated: Figure;
  readonly range: Figure;
  readonly truePeak: Figure;
  readonly threshold: Figure;
};

type Wanted = {
  readonly source?: LoudnessSource;
  readonly analyzer_track_index?: number | undefined;
};

/** The largest range that the filter supports, so that no range is too large. */
const anyRange = 50;

/** One pass: the level follows the sound, and no figure is exact. */
export const inOnePass = (target: LoudnessTarget, place: AudioPlace): Filter[] => [
  { name: "loudnorm", options: optionsOf(target) },
  ...limited(target, place, (dynamic) => dynamic),
];

/**
 * One gain for the whole programme, by figures that were given, analysed or measured. Where the gain would lift true
 * peaks above their limit, the filter follows the sound instead: peaks and loudness are then both kept.
 */
export const byMeasuring = (target: LoudnessTarget, wanted: Wanted, place: AudioPlace): Filter[] => {
  const { integrated, range, truePeak, threshold } = figuresOf(wanted, place);
  const measured = {
    measured_I: integrated,
    // Zero means "not measured" to the filter.
    measured_LRA: around("", range, "+0.01"),
    measured_TP: truePeak,
    measured_thresh: threshold,
  };
  const filter = { name: "loudnorm", options: { ...optionsOf(target), ...measured, linear: "true" } };
  return [filter, ...limited(target, place, choiceBy({ integrated, range, truePeak }, target))];
};

/** A value where the filter follows the sound, or another one where it applies one gain. */
type Choice = (dynamic: number, linear: number) => FilterValue;

/** The filter's own rule, computed by the node where it has to measure first. */
const choiceBy = (measured: Omit<Measured, "threshold">, target: LoudnessTarget): Choice => {
  const { integrated, range, truePeak } = measured;
  const [headroom, most] = [target.truePeak - target.integrated, target.range ?? anyRange];
  return (dynamic, linear) => ({
    parts: [
      // Options take `max` for their own largest value.
      `${linear}+(${dynamic}-${linear})*gt(gt(`,
      ...[part(truePeak), "-(", part(integrated), `),${headroom})+gt(`, part(range), `,${most}),0)`],
    ],
  });
};

const part = (figure: Figure) => (typeof figure === "number" ? String(figure) : figure);

/** Four times the usual rate, where samples are as high as what is between them. */
const oversampled = 192_000;
/** Decibels by which peaks may grow again on the way back to the rate of the sound. */
const margin = 0.1;

/** The filter keeps peaks at its own rate; bringing the sound back to its rate lifts some of them by half a decibel. */
const limited = ({ truePeak }: LoudnessTarget, place: AudioPlace, choose: Choice): Filter[] => {
  const rate = place.sound.sampleRate;
  const limit = Math.round(10 ** ((truePeak - margin) / 20) * 1e6) / 1e6;
  return [
    resampled(place),
    { name: "aresample", options: { osr: choose(Math.max(oversampled, rate), rate) } },
    // Nothing is limited where one gain keeps all peaks.
    { name: "alimiter", options: { limit: choose(limit, 1), level: 0, latency: 1 } },
    resampled(place),
  ];
};

const optionsOf = ({ integrated, range = anyRange, truePeak }: LoudnessTarget) => ({
  I: integrated,
  LRA: range,
  TP: truePeak,
});

// Where the filter follows the sound, it works at 192 kHz.
const resampled = ({ sound }: AudioPlace): Filter => ({ name: "aresample", options: { osr: sound.sampleRate } });

const figuresOf = (wanted: Wanted, place: AudioPlace): Measured => {
  if (wanted.source && Object.keys(wanted.source).length > 0) return given(wanted.source, `${place.path}.source`);
  const { ebur128, loudness, dolby_professional_loudness: professional } = analysisOf(wanted, place) ?? {};
  return known(ebur128 ?? loudness ?? professional ?? {}) ?? measuredBefore(place);
};

const given = (figures: NonNullable<LoudnessSource>, path: string): Measured => {
  const found = known(figures);
  if (found) return { ...found, threshold: figures.threshold_lufs ?? found.threshold };
  throw definitionError(`${path} needs integrated_lufs, loudness_lra_lufs and true_peak_dbfs`);
};

/** The relative gate of a programme is 10 LU below it, or near: the filter needs it only where it follows the sound. */
const gate = 10;

const known = ({ integrated_lufs, loudness_lra_lufs, true_peak_dbfs }: LoudnessFigures): Measured | undefined => {
  if (integrated_lufs === undefined || true_peak_dbfs === undefined) return undefined;
  return {
    integrated: integrated_lufs,
    range: loudness_lra_lufs ?? 0,
    truePeak: true_peak_dbfs,
    threshold: Math.max(-99, integrated_lufs - gate),
  };
};

// `loudnorm` measures too, but differed from this meter by 0.4 LU on programmes of a few seconds.
const meter: Meter = {
  parser: "ebur128",
  says: "notes",
  filters: (notes) => [
    // Debian's ffmpeg 5.1 does not know `framelog=quiet`.
    { name: "ebur128", options: { metadata: 1, peak: "true", framelog: "verbose" } },
    { name: "ametadata", options: { mode: "print", file: notes } },
  ],
};

const measuredBefore = ({ extras, before, trackIndex }: AudioPlace): Measured => {
  const result = extras.measure(trackIndex, before, meter);
  const figure = (name: string): Figure => ({ result, path: [name] });
  return {
    integrated: figure("integrated"),
    range: figure("range"),
    truePeak: figure("truePeak"),
    threshold: figure("threshold"),
  };
};
