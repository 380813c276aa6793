import { buildFlags } from "./encoding/flags.ts";
import { mpegFields, mpegOptions } from "./encoding/mpeg-rate.ts";
import { allScans, type VideoCodec } from "./video.ts";

/** MPEG-4 part 2, the codec of early players and telephones. */
export const mpeg4: VideoCodec = {
  name: "mpeg4",
  probed: "mpeg4",
  encoder: "mpeg4",
  containers: ["avi", "mov", "mp4", "mpegts"],
  reads: mpegFields.filter((field) => field !== "slices"),
  mostPasses: 5,
  scans: allScans,
  // Its clock has 16 bits (ISO/IEC 14496-2, 6.3.3).
  mostTicks: 60_000,
  pixelFormats: ["yuv420p"],
  options: (context) => ({
    ...mpegOptions(context),
    flags: buildFlags({ scan: context.scan, isClosed: context.video.use_closed_gop }),
  }),
};
