import type { Options } from "../../../../ffmpeg/args.ts";
import { type EncoderField, gopFields, rateFields, type VideoContext } from "../video.ts";
import { planGop } from "./gop.ts";
import { forcedKeyframes } from "./keyframes.ts";
import { rateControl } from "./rate-control.ts";

/** Fields that all encoders of the MPEG family read. */
export const mpegFields: readonly EncoderField[] = [
  ...rateFields.filter((field) => field !== "crf"),
  ...gopFields.filter((field) => field !== "refs"),
  ...(["qscale", "slices", "max_available_vbv", "min_available_vbv"] as const),
];

/** A quality that hides the codec, where the job asks for neither a quality nor a bit rate. */
const usualQuality = 3;

/** Bit rate or quality, groups and slices for ffmpeg's own encoders of the MPEG family. */
export const mpegOptions = (context: VideoContext): Options => {
  const { video } = context;
  const { isClosed, min, max, followsScenes } = planGop(context);
  const isByQuality = video.bitrate_kb === undefined;
  return {
    ...rateControl(context),
    q: isByQuality ? (video.qscale ?? usualQuality) : undefined,
    rc_max_vbv_use: share(video.max_available_vbv),
    rc_min_vbv_use: share(video.min_available_vbv),
    g: max,
    keyint_min: min,
    // These encoders cannot close groups at cuts.
    sc_threshold: isClosed || followsScenes === false ? 1_000_000_000 : undefined,
    bf: video.max_bframes,
    slices: video.slices,
    force_key_frames: forcedKeyframes(context),
  };
};

const share = (percent: number | undefined) => (percent === undefined ? undefined : percent / 100);
