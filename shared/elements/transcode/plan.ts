import { TaskError } from "../../causes.ts";
import { filterNames } from "../../ffmpeg/filtergraph.ts";
import { folderUri } from "../../location.ts";
import { virtualSourceOf, withFacts } from "../../virtual-source/of-asset.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { graphOf } from "./graph.ts";
import { refuseNotYet } from "./not-yet.ts";
import type { Recipe, TargetRecipe } from "./recipe.ts";
import type { TranscodePayload } from "./schema.ts";
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
  const source = virtualSourceOf(asset, uid);
  const detail = { source, targets: planTargets(context, source, asset.files[0]?.uri ?? "") };
  if (detail.targets.length === 0) return { tasks: [] };
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
  source: VirtualSource,
  uri: string,
): TargetRecipe[] => {
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const targets = payload.targets.flatMap((target, index) => {
    const path = `${uid}.payload.targets[${index}]`;
    return planTarget({ source, uri, target, index, parent, jobId: job.id, path }) ?? [];
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

const requirementsOf = ({ source, targets }: Recipe): string[] => {
  const streams = targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio]);
  const encoders = streams.filter(({ filters }) => filters).map(({ options }) => `encoder:${options.c}`);
  const muxers = targets.map(({ muxer }) => `muxer:${muxer}`);
  const filters = filterNames(graphOf(source, targets)).map((name) => `filter:${name}`);
  return [...new Set(["ffmpeg", "ffprobe", ...encoders, ...muxers, ...filters])];
};
