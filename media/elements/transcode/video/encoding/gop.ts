import { toNumber } from "../../../../../shared/basics/rational.ts";
import type { VideoContext } from "../video.ts";

/** Distances between keyframes in frames, and whether they may fall on cuts. Undefined: the encoder decides. */
export type Gop = {
  readonly min?: number;
  readonly max?: number;
  readonly isClosed?: boolean;
  readonly followsScenes?: boolean;
};

/** `idr_interval` wins over the older fields; an exact distance allows no key frames at cuts. */
export const planGop = ({ video, rate, path, conflict }: VideoContext): Gop => {
  const idr = video.idr_interval ?? {};
  const inFrames = (seconds: number | undefined) =>
    seconds === undefined || !rate ? undefined : Math.max(1, Math.round(seconds * toNumber(rate)));
  const exact =
    idr.frames ?? inFrames(idr.seconds) ?? video.exact_gop_frames ?? inFrames(video.exact_keyframe_interval_sec);
  const min =
    idr.min_frames ?? inFrames(idr.min_sec) ?? video.min_gop_frames ?? inFrames(video.min_keyframe_interval_sec);
  const max =
    idr.max_frames ?? inFrames(idr.max_sec) ?? video.max_gop_frames ?? inFrames(video.max_keyframe_interval_sec);
  if (exact !== undefined && video.use_scene_detection) {
    conflict(`${path} asks for keyframes every ${exact} frames and for keyframes at cuts`);
  }
  if (min !== undefined && max !== undefined && min > max) conflict(`${path} has a longer minimum GOP than maximum`);
  return {
    min: exact ?? min,
    max: exact ?? max,
    isClosed: video.use_closed_gop,
    followsScenes: exact === undefined ? video.use_scene_detection : false,
  };
};
