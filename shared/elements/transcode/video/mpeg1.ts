import { flagsOf } from "./flags.ts";
import { mpegFields, mpegOptions } from "./mpeg-rate.ts";
import { checkMpegRate } from "./mpeg-rates.ts";
import type { VideoCodec } from "./video.ts";

export const mpeg1: VideoCodec = {
  name: "mpeg1",
  probed: "mpeg1video",
  encoder: "mpeg1video",
  reads: mpegFields,
  mostPasses: 5,
  pixelFormats: ["yuv420p"],
  check: (context) => checkMpegRate(context, "mpeg1"),
  options: (context) => ({
    ...mpegOptions(context),
    flags: flagsOf({ scan: "progressive", isClosed: context.video.use_closed_gop }),
  }),
};
