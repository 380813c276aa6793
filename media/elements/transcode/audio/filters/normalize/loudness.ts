import type { AudioFacts } from "../../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../../ffmpeg/filtergraph.ts";
import type { LoudnessFigures } from "../../../filters/analyzed.ts";
import type { Meter } from "../../../filters/extras.ts";
import type { Applied, AudioPlace } from "../../../filters/filter.ts";
import type { LoudnessSource } from "./fields.ts";
import { around, type Figure } from "./kind.ts";
import {
  type Choice,
  everywhere,
  limited,
  mostUsualLift,
  oversampled,
  type Part,
  part,
  peakChoice,
  resampled,
} from "./limiter.ts";
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
  /** The measurement that found it out. */
  readonly measured?: string;
};

type Wanted = {
  readonly source?: LoudnessSource;
  readonly analyzer_track_index?: number | undefined;
};

/** A sound at its level: its filters, and what checks it behind a lossy encoder. */
type Levelled = Applied<AudioFacts>;

/** The largest range that the filter supports, so that no range is too large. */
const anyRange = 50;

/** One pass: the level follows the sound, and no figure is exact. */
export const inOnePass = (target: LoudnessTarget, place: AudioPlace): Levelled => ({
  filters: [{ name: "loudnorm", options: optionsOf(target) }, ...limited({ ...target, heard: [] }, place, everywhere)],
});

/**
 * One gain for the whole programme, by figures that were given, analysed or measured. Where it would lift true peaks
 * above their limit, these alone are limited, and what the programme loses by this is measured and made up for. A range
 * is narrowed first, by a filter that follows the sound.
 */
export const byMeasuring = (target: LoudnessTarget, wanted: Wanted, place: AudioPlace): Levelled => {
  const figures = figuresOf(wanted, place);
  if (target.range !== undefined) return levelled(narrowed(target, figures, place), { target, place });
  const { integrated, truePeak, measured } = figures;
  const headroom = target.truePeak - target.integrated - (place.encoder ? mostUsualLift : 0);
  const isKnown = typeof integrated === "number" && typeof truePeak === "number";
  if (isKnown && truePeak - integrated <= headroom) return { filters: [gained(target, [integrated])] };
  // Only the node knows whether peaks have room: without need it does not measure again.
  const onlyIf = measured && { result: measured, figure: "truePeak", over: "integrated", by: headroom };
  return levelled([], {
    target,
    place,
    first: integrated,
    choose: peakChoice(figures, headroom),
    ...(onlyIf && { onlyIf }),
  });
};

type Levelling = {
  readonly target: LoudnessTarget;
  readonly place: AudioPlace;
  /** The loudness before; absent: it is measured. */
  readonly first?: Figure;
  readonly choose?: Choice;
  readonly onlyIf?: Meter["onlyIf"];
};

/** How often the loudness behind the limiter is measured and corrected, and then that behind a lossy encoder. */
const corrections = 4;
const finerCorrections = 3;

const levelled = (
  before: readonly Filter[],
  { target, place, first, choose = everywhere, onlyIf }: Levelling,
): Levelled => {
  const known: Figure[] = first === undefined ? [] : [first];
  const heard: string[] = [];
  const chain = () => [
    ...[...before, gained(target, known), ...finer(target, heard)],
    ...limited({ truePeak: target.truePeak, heard }, place, choose),
  ];
  const { extras, trackIndex, before: earlier, encoder } = place;
  const otherwise = { integrated: target.integrated, range: 0, truePeak: target.truePeak, threshold: -70, offset: 0 };
  const again = { ...meter, ...(onlyIf && { onlyIf, otherwise }) };
  for (let nr = 0; nr < corrections; nr += 1) {
    const result = extras.measure(trackIndex, [...earlier, ...chain()], again);
    known.push({ result, path: ["integrated"] });
  }
  const check = { ...checkOf(target, place), ...(onlyIf && { onlyIf }) };
  if (!encoder) {
    extras.measure(trackIndex, [...earlier, ...chain()], check);
    return { filters: chain() };
  }
  const { name: _name, ...how } = encoder;
  for (let nr = 0; nr < finerCorrections; nr += 1) {
    const encoded = { ...how, filters: [...earlier, ...chain()] };
    heard.push(extras.measure(trackIndex, [], { ...again, encoded }));
  }
  return { filters: chain(), check };
};

const checkOf = ({ integrated, truePeak, range }: LoudnessTarget, { path, encoder, isStrict }: AudioPlace): Meter => {
  const what = `${path.replace(/(\.payload)+$/, "")}${encoder ? `, encoded as ${encoder.name}` : ""}`;
  const options = { integrated, truePeak, ...(range !== undefined && { range }), what, isStrict: isStrict === true };
  return { ...meter, parser: "loudness_check", options };
};

/** Decibels by which one correction may change a gain. */
const mostStep = 12;
/** Silence has no loudness that could be corrected. LUFS. */
const silence = -70;
/** Of a decibel of gain, at least so much is taken to arrive behind the limiter. */
const leastSlope = 0.2;

/**
 * What brings a loudness to its target. Without a limiter one gain is exact. Behind one, a decibel of gain is less than
 * one of loudness, how much less changes with the gain. Each correction goes on as steeply as the last one did (the
 * secant method), until one gain was too low and another too high: from there on it stays between the two (false
 * position by the Illinois rule: an end that stays twice counts half). Silence stays.
 */
const gained = ({ integrated: to }: LoudnessTarget, known: readonly Figure[]): Filter => {
  const [first, ...more] = known;
  const one = first === undefined ? ["0"] : missing(to, part(first));
  const many = [...known.flatMap((figure, at) => corrected(to, part(figure), at)), `ld(${gain})`];
  const volume = { parts: ["pow(10,(", ...(more.length === 0 ? one : many), ")/20)"] };
  return { name: "volume", options: { volume, precision: "double" } };
};

/** ffmpeg's registers. A side's error is 0 as long as no gain was heard there. */
const [gain, gainBefore, heardBefore, slope, error] = [0, 1, 2, 3, 4];
const low = { gain: 5, error: 6 };
const high = { gain: 7, error: 8 };
/** The side of the last gain: -1 or 1, and 0 before the first one. */
const side = 9;

/** What a measurement says of the gain that it heard: none before the first one. */
const corrected = (to: number, heard: Part, at: number): Part[] => {
  if (at === 0) {
    const none = [gainBefore, low.error, high.error, side].map((register) => `st(${register},0);`).join("");
    return [`st(${gain},`, ...missing(to, heard), `);st(${heardBefore},`, heard, `);${none}`];
  }
  const change = `(ld(${gain})-ld(${gainBefore}))`;
  const step = `ld(${gain})-clip(ld(${error})/ld(${slope}),-${mostStep},${mostStep})`;
  const product = (a: typeof low, b: typeof low) => `ld(${a.gain})*ld(${b.error})`;
  const between = `(${product(low, high)}-${product(high, low)})/(ld(${high.error})-ld(${low.error}))`;
  return [
    `st(${slope},if(lt(abs${change},0.01),1,clip((`,
    ...[heard, `-ld(${heardBefore}))/${change},${leastSlope},1)));`],
    ...[`st(${gainBefore},ld(${gain}));st(${heardBefore},`, heard, ");"],
    ...[`st(${error},-`, ...missing(to, heard), ");"],
    `if(lte(ld(${error}),0),${keptAs(low, high, -1)},${keptAs(high, low, 1)});`,
    `st(${gain},if(lt(ld(${low.error}),0)*gt(ld(${high.error}),0),${between},${step}));`,
  ];
};

/** The last gain becomes an end of its side; where the other end stays a second time, its error is halved. */
const keptAs = (own: typeof low, other: typeof low, sign: number): string =>
  [
    `if(eq(ld(${side}),${sign}),st(${other.error},ld(${other.error})/2))`,
    `st(${own.gain},ld(${gain}))`,
    `st(${own.error},ld(${error}))`,
    `st(${side},${sign})`,
  ].join(";");

/** What a sound lacks to its target; silence lacks nothing. */
const missing = (to: number, heard: Part): Part[] => ["gt(", heard, `,${silence})*(${to}-(`, heard, "))"];

/** What encoders take from the loudness is little, and so is what a correction must leave to the next one. */
const finer = ({ integrated: to }: LoudnessTarget, heard: readonly string[]): Filter[] => {
  if (heard.length === 0) return [];
  const changes = heard.flatMap((result) => [
    ...["+clip(1.5*", ...missing(to, { result, path: ["integrated"] }), `,-${mostUsualLift},${mostUsualLift})`],
  ]);
  return [{ name: "volume", options: { volume: { parts: ["pow(10,(0", ...changes, ")/20)"] }, precision: "double" } }];
};

const narrowed = (target: LoudnessTarget, figures: Measured, place: AudioPlace): Filter[] => {
  const { integrated, range, truePeak, threshold } = figures;
  const measured = {
    measured_I: integrated,
    // Zero means "not measured" to the filter.
    measured_LRA: around("", range, "+0.01"),
    measured_TP: truePeak,
    measured_thresh: threshold,
  };
  return [{ name: "loudnorm", options: { ...optionsOf(target), ...measured, linear: "true" } }, resampled(place)];
};

const optionsOf = ({ integrated, range = anyRange, truePeak }: LoudnessTarget) => ({
  I: integrated,
  LRA: range,
  TP: truePeak,
});

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
    { name: "ebur128", options: { metadata: 1, framelog: "verbose" } },
    { name: "aresample", options: { osr: oversampled } },
    { name: "astats", options: { metadata: 1, measure_perchannel: "none", measure_overall: "Peak_level" } },
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
    measured: result,
  };
};
