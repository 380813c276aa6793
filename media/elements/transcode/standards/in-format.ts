import type { VideoFacts } from "../../../../shared/model/asset.ts";
import { constantRate, mainVideo } from "../../../formats/stream-timing.ts";
import { conflictRule } from "../conflicts/conflict.ts";
import type { Container } from "../containers/container.ts";
import { discMuxer } from "../containers/program-stream.ts";
import { usualContainer } from "../containers/schema.ts";
import type { TargetRequest } from "../target-request.ts";
import type { Target } from "../target-schema.ts";
import type { VideoTarget } from "../video/schema.ts";
import { type Disc, discs } from "./disc.ts";
import { atEvenRate } from "./even-rate.ts";
import { standardOf } from "./index.ts";
import { pictureOnDisc, rateOf, soundOnDisc } from "./on-disc.ts";
import { blankedPictures, d10Pictures, dvPictures, inRaster, type Raster } from "./raster.ts";

/**
 * The target as the format of its tape, disc or standard has it: its container, codec and compliance leave only some
 * sizes, rates, groups and sounds. Fields of the job that go beyond them are told, and fail a strict target.
 */
export const inFormat = (request: TargetRequest, container: Container): TargetRequest => {
  const { target, source, path } = request;
  const { video, audio } = target;
  const picture = mainVideo(source.facts);
  if (!video?.enabled || !picture || video.codec === "copy") return request;
  const conflict = conflictRule(target.parameter_compliance, request.extras.warn);
  const disc = discOf(target, container, path);
  const { timing } = source;
  const even = atEvenRate(video, { picture, timing, container, path, extras: request.extras });
  const shaped = shapedVideo(target, even, { picture, container, disc, path });
  const rate = rateOf(shaped, constantRate(picture) ?? picture.averageFrameRate);
  const groups = rate && standardOf(target, path)?.groups?.(rate);
  const grouped = groups === undefined || hasGroups(shaped) ? shaped : { ...shaped, max_gop_frames: groups };
  if (!disc || !rate) return { ...request, target: { ...target, video: grouped } };
  return {
    ...request,
    target: {
      ...target,
      video: pictureOnDisc(grouped, disc, rate, { path: `${path}.video`, conflict }),
      audio: audio?.map((track, index) => {
        const { codec = "ac3" } = track;
        const place = { path: `${path}.audio[${index}]`, conflict };
        return track.enabled && track.codec !== undefined && codec !== "copy"
          ? soundOnDisc(track, disc, codec, place)
          : track;
      }),
    },
  };
};

const hasGroups = (video: VideoTarget): boolean =>
  [
    ...[video.exact_gop_frames, video.max_gop_frames, video.exact_keyframe_interval_sec],
    ...[video.max_keyframe_interval_sec, video.idr_interval],
  ].some((each) => each !== undefined);

const discOf = (target: Target, container: Container, path: string): Disc | undefined => {
  const context = { container: target.container ?? usualContainer, path: `${path}.container` };
  return discs[discMuxer(container, context)];
};

type Around = {
  readonly picture: VideoFacts;
  readonly container: Container;
  readonly disc: Disc | undefined;
  readonly path: string;
};

const shapedVideo = (target: Target, video: VideoTarget, around: Around): VideoTarget => {
  const { picture, container, disc, path } = around;
  const standard = standardOf(target, path);
  const isD10 = container.muxer === "mxf_d10";
  const rasters = disc?.rasters ?? standard?.rasters ?? rastersOf(video, container, picture);
  if (!rasters) return video;
  const isForced = disc !== undefined || target.compliance_enforcement === "strict";
  const shaped = inRaster(video, picture, rasters);
  const settled = shaped === video && isForced ? inRaster(withoutSize(video), picture, rasters) : shaped;
  return isD10 && settled.add_vbi_if_needed === undefined ? { ...settled, add_vbi_if_needed: true } : settled;
};

const withoutSize = ({ width: _width, height: _height, frame_rate: _rate, ...video }: VideoTarget): VideoTarget =>
  video;

const rastersOf = (
  { codec, height }: VideoTarget,
  { muxer }: Container,
  picture: VideoFacts,
): readonly Raster[] | undefined => {
  if (codec === "dv25" || codec === "dv50") return dvPictures;
  if (muxer !== "mxf_d10") return undefined;
  const hasBlanking = [608, 512].includes(height ?? picture.height);
  return hasBlanking ? blankedPictures : d10Pictures;
};
