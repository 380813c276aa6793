import { z } from "zod";
import { definitionError } from "../../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../../ffmpeg/filtergraph.ts";
import { cutPeaks } from "../../../../../results/levels-check.ts";
import type { Meter } from "../../../filters/extras.ts";
import type { AudioPlace } from "../../../filters/filter.ts";
import { decibels, measuredFields } from "./fields.ts";
import { around, defineNormalizing, type Figure } from "./kind.ts";
import { analysisOf } from "./sources.ts";

const fields = { peak: "peak_level_db", rms: "rms_level_db" } as const;
type Name = keyof typeof fields;

type Wanted = {
  readonly source?:
    | { readonly peak_level_db?: number | undefined; readonly rms_level_db?: number | undefined }
    | undefined;
  readonly analyzer_track_index?: number | undefined;
  readonly peak_level_db?: number | undefined;
  readonly rms_level_db?: number | undefined;
};

/** One gain that brings the loudest sample of all channels to a level. */
export const peak = defineNormalizing({
  kind: "peak",
  payload: z.looseObject({
    ...measuredFields,
    source: z.looseObject({ peak_level_db: decibels }).optional(),
    peak_level_db: decibels,
  }),
  apply: (wanted, place) => ({ filters: broughtTo("peak", wanted, place) }),
});

/** One gain that brings the mean square of all channels to a level. It cuts off peaks beyond full scale, and says so. */
export const rms = defineNormalizing({
  kind: "rms",
  payload: z.looseObject({
    ...measuredFields,
    source: z.looseObject({ rms_level_db: decibels }).optional(),
    rms_level_db: decibels,
  }),
  apply: (wanted, place) => ({ filters: broughtTo("rms", wanted, place) }),
});

const broughtTo = (name: Name, wanted: Wanted, place: AudioPlace): Filter[] => {
  const to = wanted[fields[name]];
  if (to === undefined) throw definitionError(`${place.path} needs ${fields[name]}`);
  const level = levelOf(name, wanted, place);
  const gained = {
    name: "volume",
    options: { volume: around(`pow(10,((${to})-(`, level, "))/20)"), precision: "double" },
  };
  if (name === "rms") checkPeaks(to, level, { wanted, place, gained });
  return [gained];
};

type Gained = { readonly wanted: Wanted; readonly place: AudioPlace; readonly gained: Filter };

/** Peaks beyond full scale are cut off, and the sound has less than its level: where nobody knows of peaks, nobody asks. */
const checkPeaks = (to: number, level: Figure, { wanted, place, gained }: Gained): void => {
  const { extras, before, trackIndex, isStrict = false } = place;
  const what = place.path.replace(/(\.payload)+$/, "");
  if (typeof level === "number") {
    const known = wanted.source ? undefined : analysisOf(wanted, place)?.levels?.peak_level_db;
    const peak = known === undefined ? 0 : known + to - level;
    if (peak > 0 && isStrict) throw definitionError(cutPeaks(what, peak));
    if (peak > 0) extras.warn(cutPeaks(what, peak));
    return;
  }
  const onlyIf = "result" in level ? { result: level.result, figure: "peak", over: "rms", by: -to } : undefined;
  const check = { ...meter, parser: "levels_check" as const, options: { what, isStrict }, ...(onlyIf && { onlyIf }) };
  extras.measure(trackIndex, [...before, gained], check);
};

const levelOf = (name: Name, wanted: Wanted, place: AudioPlace): Figure => {
  const field = fields[name];
  if (wanted.source && Object.keys(wanted.source).length > 0) {
    const given = wanted.source[field];
    if (given !== undefined) return given;
    throw definitionError(`${place.path}.source needs ${field}`);
  }
  const analyzed = analysisOf(wanted, place)?.levels?.[field];
  return analyzed ?? measuredBefore(name, place);
};

const meter: Meter = {
  parser: "astats",
  says: "log",
  filters: () => [{ name: "astats", options: { measure_perchannel: "none", measure_overall: "Peak_level+RMS_level" } }],
};

const measuredBefore = (name: Name, { extras, before, trackIndex }: AudioPlace): Figure => {
  const result = extras.measure(trackIndex, before, meter);
  return { result, path: [name] };
};
