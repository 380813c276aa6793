import { buildFlags } from "./encoding/flags.ts";
import { mpegFields, mpegOptions } from "./encoding/mpeg-rate.ts";
import { checkMpegRate } from "./encoding/mpeg-rates.ts";
import type { VideoCodec } from "./video.ts";

export const mpeg1: VideoCodec = {
  name: "mpeg1",
  probed: "mpeg1video",
  encoder: "mpeg1video",
  containers: ["avi", "mov", "mp4", "mpegts", "segmented_ts", "program_stream"],
  reads: mpegFields,
  mostPasses: 5,
  pixelFormats: ["yuv420p"],
  check: (context) => checkMpegRate(context, "mpeg1"),
  options: (context) => ({
    ...mpegOptions(context),
    flags: buildFlags({ scan: "progressive", isClosed: context.video.use_closed_gop }),
  }),
};
