import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Options } from "../../../../ffmpeg/args.ts";
import type { VideoContext } from "../video.ts";

/** Bit rate, limits and buffer for libx264 and libx265. The default buffer is one second, two for vbr. */
export const rateControl = (context: VideoContext): Options => {
  const { video } = context;
  const byQuality = video.bitrate_mode === "crf" || (video.crf !== undefined && video.bitrate_kb === undefined);
  checkContradictions(context, byQuality);
  const isConstant = video.bitrate_mode === "cbr";
  const max = isConstant ? video.bitrate_kb : video.max_bitrate_kb;
  const buffer = video.vbv_buffer_size_kb ?? (max && max * (isConstant ? 1 : 2));
  return {
    b: byQuality ? undefined : bits(video.bitrate_kb),
    crf: byQuality ? video.crf : undefined,
    minrate: bits(isConstant ? video.bitrate_kb : video.min_bitrate_kb),
    maxrate: bits(max),
    bufsize: bits(buffer),
    rc_init_occupancy: bits(video.vbv_init_occupancy_kb),
  };
};

const checkContradictions = ({ video, path, conflict }: VideoContext, byQuality: boolean): void => {
  const { bitrate_mode, bitrate_kb, max_bitrate_kb, crf } = video;
  const isConstant = bitrate_mode === "cbr";
  if ((isConstant || bitrate_mode === "vbr") && bitrate_kb === undefined) {
    throw definitionError(`${path}.bitrate_mode ${bitrate_mode} needs a bitrate_kb`);
  }
  if (byQuality && bitrate_kb !== undefined) conflict(`${path} has bitrate_mode crf and a bitrate_kb`);
  if (!byQuality && crf !== undefined) conflict(`${path} has a crf and a bitrate_kb`);
  if (isConstant && max_bitrate_kb !== undefined && max_bitrate_kb !== bitrate_kb) {
    conflict(`${path} is cbr with a max_bitrate_kb that is not its bitrate_kb`);
  }
};

const bits = (kilobits: number | undefined) => (kilobits === undefined ? undefined : Math.round(kilobits * 1000));
