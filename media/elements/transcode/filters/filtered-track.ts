import type { AudioFacts, VideoFacts } from "../../../../shared/model/asset.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { audioFilterOf } from "../audio/filters/index.ts";
import type { FilterRequest } from "../filter-schema.ts";
import { videoFilterOf } from "../video/filters/index.ts";
import type { Meter } from "./extras.ts";
import type { Applied, AudioPlace, Stage, VideoPlace } from "./filter.ts";
import { inStageOrder, stageOf } from "./stage.ts";

/** A track after its filters: the filters, its facts behind them, and what checks the last one behind the encoder. */
export type Passed<Facts> = { readonly filters: readonly Filter[]; readonly facts: Facts; readonly check?: Meter };

/** The filters of a job's list, each with its place in the list. */
type Requests = readonly FilterRequest[] | undefined;

type Kind<Place, Facts> = {
  readonly stage: Stage;
  readonly apply: (payload: unknown, place: Place) => Applied<Facts>;
};

/** A picture through those filters of a list, of which `path` is the path, that stand at a stage; at all of them, one stage after the other, if none is named. */
export const applyVideoFilters = (
  requests: Requests,
  stage: Stage | undefined,
  place: VideoPlace,
): Passed<VideoFacts> => {
  const at = (facts: VideoFacts, _filters: readonly Filter[], path: string) => ({ ...place, picture: facts, path });
  return through(listed(requests, stage, videoFilterOf), place.picture, place.path, at);
};

/** The same for sound. */
export const applyAudioFilters = (
  requests: Requests,
  stage: Stage | undefined,
  { encoder, ...place }: AudioPlace,
): Passed<AudioFacts> => {
  const at = (facts: AudioFacts, filters: readonly Filter[], path: string, isLast: boolean) => ({
    ...{ ...place, sound: facts, before: [...place.before, ...filters], path },
    ...(isLast && encoder && { encoder }),
  });
  return through(fadesFirst(listed(requests, stage, audioFilterOf)), place.sound, place.path, at);
};

/** A level is that of the whole sound with its fades: those behind a normalization come before it. */
const fadesFirst = <T extends { readonly request: FilterRequest }>(list: readonly T[]): readonly T[] => {
  const at = list.findIndex(({ request }) => request.kind === "normalize");
  const behind = list.slice(at + 1);
  const count = behind.findIndex(({ request }) => request.kind !== "fade");
  if (at === -1) return list;
  const fades = count === -1 ? behind : behind.slice(0, count);
  return [...list.slice(0, at), ...fades, ...list.slice(at, at + 1), ...behind.slice(fades.length)];
};

type Listed<Place, Facts> = {
  readonly request: FilterRequest;
  readonly kind: Kind<Place, Facts>;
  readonly index: number;
};

const listed = <Place, Facts>(
  requests: Requests = [],
  stage: Stage | undefined,
  kindOf: (name: string) => Kind<Place, Facts> | undefined,
): Listed<Place, Facts>[] => {
  const all = requests.map((request, index) => {
    const kind = kindOf(request.kind);
    if (!kind) throw new Error(`there is no filter of kind ${request.kind}`);
    return { request, kind, index };
  });
  const placeOf = ({ request, kind }: Listed<Place, Facts>) => stageOf(request, kind.stage);
  return stage ? all.filter((each) => placeOf(each) === stage) : inStageOrder(all, placeOf);
};

const through = <Place, Facts>(
  list: readonly Listed<Place, Facts>[],
  first: Facts,
  path: string,
  placeAt: (facts: Facts, filters: readonly Filter[], path: string, isLast: boolean) => Place,
): Passed<Facts> => {
  let passed: Passed<Facts> = { facts: first, filters: [] };
  for (const [at, { request, kind, index }] of list.entries()) {
    const place = placeAt(passed.facts, passed.filters, `${path}[${index}].payload`, at === list.length - 1);
    const { filters, changed, check } = kind.apply(request.payload, place);
    passed = {
      ...{ facts: { ...passed.facts, ...changed }, filters: [...passed.filters, ...filters] },
      ...(check && { check }),
    };
  }
  return passed;
};
