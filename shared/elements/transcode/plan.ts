import type { Asset } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { filterNames } from "../../ffmpeg/filtergraph.ts";
import { folderUri } from "../../location.ts";
import { narrowed, virtualSourceOf, withFacts } from "../../virtual-source/of-asset.ts";
import { rangeOf } from "../../virtual-source/trim.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { withSilence } from "../../virtual-source/with-silence.ts";
import type { Plan, PlanContext } from "../element.ts";
import { trim } from "../source/schema.ts";
import { withoutConflicts } from "./conflicts.ts";
import { graphOf } from "./graph.ts";
import { refuseNotYet } from "./not-yet.ts";
import type { Film, Recipe, TargetRecipe } from "./recipe.ts";
import type { Target, TranscodePayload } from "./schema.ts";
import { throughPipeline } from "./source-pipeline.ts";
import { planTarget } from "./target.ts";

/** One task makes all targets in one decode. Of several inputs the first is used: joining them is not implemented. */
export const planTranscode = (context: PlanContext<TranscodePayload>): Plan<Recipe> => {
  const { uid, payload, inputs } = context;
  refusePayload(payload, `${uid}.payload`);
  const [input] = inputs;
  if (!input) throw new TaskError("definition", `${uid} has nothing to transcode: no element feeds it`);
  const asset = withFacts(input, context.factsOf);
  const unknown = asset.files.filter(({ facts }) => !facts);
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const read = throughPipeline(asset, payload.source_pipeline, `${uid}.payload.source_pipeline`);
  const films = planFilms(context, trimmed(read, objectAt(payload, "source_pipeline"), uid, "source_pipeline"));
  if (films.length === 0) return { tasks: [] };
  return { tasks: [{ uid, name: uid, requires: requirementsOf(films), weight: "full", detail: { films } }] };
};

/** The asset as a trim at some place of the payload leaves it. */
const trimmed = (asset: Asset, fields: object | undefined, uid: string, at: string): Asset => {
  const wished = trim.optional().parse(objectAt(fields, "trim"));
  if (!wished) return asset;
  const film = virtualSourceOf(asset, uid);
  return narrowed(asset, rangeOf(wished, { film: film.facts, what: `${uid}.payload.${at}.trim` }));
};

const refusePayload = (payload: TranscodePayload, path: string): void => {
  refuseNotYet("payload", payload, path);
  refuseNotYet("options", objectAt(payload, "options"), `${path}.options`);
  const pipeline = objectAt(payload, "source_pipeline");
  refuseNotYet("source_pipeline", pipeline, `${path}.source_pipeline`);
  refuseNotYet("source_options", objectAt(pipeline, "options"), `${path}.source_pipeline.options`);
};

const objectAt = (fields: object | undefined, name: string): object | undefined => {
  const value = Object.entries(fields ?? {}).find(([key]) => key === name)?.[1];
  return typeof value === "object" && value !== null ? value : undefined;
};

type Planned = { readonly asset: Asset; readonly target: TargetRecipe; readonly source: VirtualSource };

const planFilms = (context: PlanContext<TranscodePayload>, asset: Asset): Film[] => {
  const planned = context.payload.targets.flatMap((_target, index) => planOne(context, asset, index));
  checkDifferent(
    planned.map(({ target }) => target),
    context.uid,
  );
  const ranges = [...new Set(planned.map((each) => JSON.stringify(each.asset.range)))];
  return ranges.flatMap((range) => {
    const alike = planned.filter((each) => JSON.stringify(each.asset.range) === range);
    return alike[0] ? [{ source: alike[0].source, targets: alike.map(({ target }) => target) }] : [];
  });
};

const planOne = ({ uid, payload, job }: PlanContext<TranscodePayload>, whole: Asset, index: number): Planned[] => {
  const written = payload.targets[index];
  if (!written) return [];
  const target = withoutConflicts(written);
  const asset = trimmed(whole, target, uid, `targets[${index}]`);
  const film = virtualSourceOf(asset, uid);
  const source = asset.reading?.silence ? withSilence(film, tracksWanted(payload.targets, film)) : film;
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const uri = asset.files[0]?.uri ?? "";
  const path = `${uid}.payload.targets[${index}]`;
  const recipe = planTarget({ source, uri, target: withPipeline(target, payload), index, parent, jobId: job.id, path });
  return recipe ? [{ asset, target: recipe, source }] : [];
};

/** A source with one track feeds every one that names none. */
const tracksWanted = (targets: readonly Target[], { facts }: VirtualSource): number => {
  const isFedByOne = facts.audio.length === 1;
  const wanted = targets.flatMap(({ audio = [] }) =>
    audio.map(({ source }, index) => (source?.[0]?.track ?? (isFedByOne ? 0 : index)) + 1),
  );
  return Math.max(0, ...wanted);
};

/** How pictures are scaled where the target does not say. */
const withPipeline = (target: Target, { source_pipeline: pipeline }: TranscodePayload): Target => {
  const dither = pipeline?.chroma_dither_algorithm;
  if (!target.video || (!pipeline?.scaler && !dither)) return target;
  const scaler = target.video.scaler ?? pipeline.scaler ?? { kind: "default" as const };
  return { ...target, video: { ...target.video, scaler: { ...scaler, ...(dither && { dither }) } } };
};

const checkDifferent = (targets: readonly TargetRecipe[], uid: string): void => {
  const uids = repeated(targets.map((target) => target.uid));
  if (uids) throw new TaskError("definition", `${uid} has two targets with the uid "${uids}"`);
  const names = repeated(targets.map(({ folder, name }) => `${folder.replace(/\/+$/, "")}/${name}`));
  if (names) throw new TaskError("definition", `${uid} has two targets that write ${names}`);
};

const repeated = (texts: readonly string[]) => texts.find((text, index) => texts.indexOf(text) !== index);

const requirementsOf = (films: readonly Film[]): string[] => {
  const targets = films.flatMap((film) => film.targets);
  const streams = targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio]);
  const encoders = streams.filter(({ filters }) => filters).map(({ options }) => `encoder:${options.c}`);
  const muxers = targets.map(({ muxer }) => `muxer:${muxer}`);
  const filters = films.flatMap((film) => filterNames(graphOf(film.source, film.targets)));
  return [...new Set(["ffmpeg", "ffprobe", ...encoders, ...muxers, ...filters.map((name) => `filter:${name}`)])];
};
