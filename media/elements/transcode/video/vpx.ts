import type { Options } from "../../../ffmpeg/args.ts";
import { planGop } from "./encoding/gop.ts";
import { forcedKeyframes } from "./encoding/keyframes.ts";
import { rateControl } from "./encoding/rate-control.ts";
import { type EncoderField, rateFields, type VideoCodec, type VideoContext } from "./video.ts";

const reads: readonly EncoderField[] = [
  ...rateFields,
  ...(["min_gop_frames", "max_gop_frames", "exact_gop_frames", "min_keyframe_interval_sec"] as const),
  ...(["max_keyframe_interval_sec", "exact_keyframe_interval_sec", "idr_interval", "forced_keyframes"] as const),
];

/** A bit rate that constant quality never reaches: the VP8 encoder needs a limit. */
const ceiling = 100_000_000;

const optionsFor = (context: VideoContext, quality: number): Options => {
  const { video } = context;
  const { min, max } = planGop(context);
  const isByQuality = video.bitrate_kb === undefined;
  const rate = rateControl(context);
  return {
    ...rate,
    b: isByQuality ? (quality < 20 ? ceiling : 0) : rate.b,
    crf: isByQuality ? (video.crf ?? quality) : undefined,
    ...{ deadline: "good", "cpu-used": 2, g: max, keyint_min: min },
    force_key_frames: forcedKeyframes(context),
  };
};

export const vp8: VideoCodec = {
  ...{ name: "vp8", probed: "vp8", encoder: "libvpx", reads, mostPasses: 2, containers: ["avi"] },
  pixelFormats: ["yuv420p"],
  options: (context) => optionsFor(context, 10),
};

export const vp9: VideoCodec = {
  ...{ name: "vp9", probed: "vp9", encoder: "libvpx-vp9", reads, mostPasses: 2 },
  ...{ containers: ["mp4", "dash"], carrier: "mp4", pixelCost: 5 },
  pixelFormats: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le", "yuv420p12le"],
  options: (context) => ({ ...optionsFor(context, 31), "row-mt": 1 }),
};
