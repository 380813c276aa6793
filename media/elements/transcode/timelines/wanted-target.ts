import { withExtencArgs } from "../command/extenc-args.ts";
import { withoutConflicts } from "../conflicts/conflicts.ts";
import { withFades } from "../containers/filters/fades.ts";
import type { TranscodePayload } from "../schema.ts";
import { withStandard } from "../standards/index.ts";
import type { Target } from "../target-schema.ts";

/** What a target asks for, with everything that its arguments, its standard, its container and the pipeline add. */
export const wantedTarget = (
  written: Target,
  { source_pipeline: pipeline }: TranscodePayload,
  path: string,
): Target => {
  const stated = withExtencArgs(written, path);
  const complete = withStandard(stated, path);
  const consistent = withoutConflicts(complete);
  const scaled = withScaler(consistent, pipeline);
  return withFades(scaled);
};

/** How pictures are scaled where the target does not say. */
const withScaler = (target: Target, pipeline: TranscodePayload["source_pipeline"]): Target => {
  const dither = pipeline?.chroma_dither_algorithm;
  if (!target.video || (!pipeline?.scaler && !dither)) return target;
  const scaler = target.video.scaler ?? pipeline.scaler ?? { kind: "default" as const };
  return { ...target, video: { ...target.video, scaler: { ...scaler, ...(dither && { dither }) } } };
};
