import { capabilityError } from "../../../../shared/model/failure.ts";
import { planGop } from "./encoding/gop.ts";
import { forcedKeyframes } from "./encoding/keyframes.ts";
import { rateControl } from "./encoding/rate-control.ts";
import { av1Hdr10 } from "./picture/hdr10.ts";
import type { VideoCodec } from "./video.ts";

/** Our own addition: the API's list ends before AV1. By Intel's and Netflix's encoder. */
export const av1: VideoCodec = {
  name: "av1",
  probed: "av1",
  encoder: "libsvtav1",
  containers: ["avi", "mp4", "dash"],
  carrier: "mp4",
  pixelCost: 2,
  reads: [
    ...(["bitrate_mode", "bitrate_kb", "max_bitrate_kb", "vbv_buffer_size_kb", "crf", "forced_keyframes"] as const),
    ...(["max_gop_frames", "exact_gop_frames", "max_keyframe_interval_sec", "exact_keyframe_interval_sec"] as const),
    ...(["idr_interval", "hdr10"] as const),
  ],
  hasHdr10: true,
  leastSize: { width: 64, height: 64 },
  pixelFormats: ["yuv420p", "yuv420p10le"],
  options: (context) => {
    const { video, path } = context;
    if (video.bitrate_mode === "cbr") {
      throw capabilityError(`${path}.bitrate_mode cbr: the encoder of AV1 has it for calls only`);
    }
    const { b, crf, maxrate, bufsize } = rateControl(context);
    return {
      ...{ b, crf: b === undefined ? (crf ?? 35) : undefined, maxrate, bufsize },
      ...{ preset: 8, g: planGop(context).max, force_key_frames: forcedKeyframes(context) },
      "svtav1-params": av1Hdr10(context).join(":") || undefined,
    };
  },
};
