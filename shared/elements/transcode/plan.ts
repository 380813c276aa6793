import type { MediaFacts } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { filterNames } from "../../ffmpeg/filtergraph.ts";
import { folderUri } from "../../location.ts";
import type { Plan, PlanContext } from "../element.ts";
import { graphOf } from "./graph.ts";
import { refuseNotYet } from "./not-yet.ts";
import type { Recipe, TargetRecipe } from "./recipe.ts";
import type { TranscodePayload } from "./schema.ts";
import { spanOf } from "./span.ts";
import { mainVideo, planTarget } from "./target.ts";

/** One task makes all targets in one decode. Of several inputs the first is used: joining them is not implemented. */
export const planTranscode = (context: PlanContext<TranscodePayload>): Plan<Recipe> => {
  const { uid, payload, inputs } = context;
  refusePayload(payload, `${uid}.payload`);
  const [input] = inputs;
  const [file, second] = input?.files ?? [];
  if (!input || !file) throw new TaskError("definition", `${uid} has nothing to transcode: no element feeds it`);
  if (second) throw new TaskError("capability", `${uid}: an input of several files is not implemented yet`);
  const facts = file.facts ?? context.factsOf(file.uri)?.facts;
  if (!facts) return { need: [{ fact: "probe", uri: file.uri }] };
  const span = spanOf(input.range, facts, mainVideo(facts), `${uid}: the range`);
  const targets = planTargets(context, { facts, uri: file.uri, span });
  const detail = { uri: file.uri, span, targets };
  if (targets.length === 0) return { tasks: [] };
  return { tasks: [{ uid, name: uid, requires: requirementsOf(detail), weight: "full", detail }] };
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

const planTargets = (
  { uid, payload, job }: PlanContext<TranscodePayload>,
  source: Pick<Recipe, "uri" | "span"> & { readonly facts: MediaFacts },
): TargetRecipe[] => {
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const targets = payload.targets.flatMap((target, index) => {
    const path = `${uid}.payload.targets[${index}]`;
    return planTarget({ ...source, target, index, parent, jobId: job.id, path }) ?? [];
  });
  checkDifferent(targets, uid);
  return targets;
};

const checkDifferent = (targets: readonly TargetRecipe[], uid: string): void => {
  const uids = repeated(targets.map((target) => target.uid));
  if (uids) throw new TaskError("definition", `${uid} has two targets with the uid "${uids}"`);
  const names = repeated(targets.map(({ folder, name }) => `${folder.replace(/\/+$/, "")}/${name}`));
  if (names) throw new TaskError("definition", `${uid} has two targets that write ${names}`);
};

const repeated = (texts: readonly string[]) => texts.find((text, index) => texts.indexOf(text) !== index);

const requirementsOf = ({ targets }: Pick<Recipe, "targets">): string[] => {
  const streams = targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio]);
  const encoders = streams.filter(({ filters }) => filters).map(({ options }) => `encoder:${options.c}`);
  const muxers = targets.map(({ muxer }) => `muxer:${muxer}`);
  const filters = filterNames(graphOf(targets)).map((name) => `filter:${name}`);
  return [...new Set(["ffmpeg", "ffprobe", ...encoders, ...muxers, ...filters])];
};
