import { type Stage, stages } from "./filter.ts";

/** The specification's positions, as stages of our pipeline. Nothing is analysed between decoding and normalizing. */
const stageOfPosition: Readonly<Record<string, Stage>> = {
  pre_analyze: "read",
  pre_normalize: "read",
  post_normalize: "normalized",
  pre_convert: "normalized",
  post_convert: "converted",
};

type Positioned = { readonly options?: { readonly position?: string | undefined } | undefined };

/** A filter's stage: the job's, else the usual one of its kind. */
export const stageOf = ({ options }: Positioned, usual: Stage): Stage =>
  stageOfPosition[options?.position ?? "default"] ?? usual;

/** Filters in the order in which they are applied where a pipeline is not divided: by stage, then as written. */
export const inStageOrder = <T>(filters: readonly T[], stage: (filter: T) => Stage): T[] =>
  stages.flatMap((each) => filters.filter((filter) => stage(filter) === each));
