import { z } from "zod";
import { definitionError } from "../../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../../ffmpeg/filtergraph.ts";
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
  filters: (wanted, place) => broughtTo("peak", wanted, place),
});

/** One gain that brings the mean square of all channels to a level; it cuts off peaks beyond full scale. */
export const rms = defineNormalizing({
  kind: "rms",
  payload: z.looseObject({
    ...measuredFields,
    source: z.looseObject({ rms_level_db: decibels }).optional(),
    rms_level_db: decibels,
  }),
  filters: (wanted, place) => broughtTo("rms", wanted, place),
});

const broughtTo = (name: Name, wanted: Wanted, place: AudioPlace): Filter[] => {
  const to = wanted[fields[name]];
  if (to === undefined) throw definitionError(`${place.path} needs ${fields[name]}`);
  const volume = around(`pow(10,((${to})-(`, levelOf(name, wanted, place), "))/20)");
  return [{ name: "volume", options: { volume, precision: "double" } }];
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
