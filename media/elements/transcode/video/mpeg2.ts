import { definitionError } from "../../../../shared/model/failure.ts";
import { xdcamImx } from "../standards/xdcam.ts";
import { d10Options } from "./d10.ts";
import { buildFlags } from "./encoding/flags.ts";
import { mpegFields, mpegOptions } from "./encoding/mpeg-rate.ts";
import { checkMpegRate } from "./encoding/mpeg-rates.ts";
import { rowNamed } from "./encoding/named-row.ts";
import { allScans, type VideoCodec, type VideoContext } from "./video.ts";

/** Profile and level in jobs -> the standard's numbers. */
const profiles: Readonly<Record<string, number>> = { "422P": 0, HP: 1, MP: 4, SP: 5 };
const levels: Readonly<Record<string, { readonly high: number; readonly plain: number }>> = {
  ...{ HL: { plain: 4, high: 2 }, H14: { plain: 6, high: 4 }, ML: { plain: 8, high: 5 }, LL: { plain: 10, high: 6 } },
};

export const mpeg2: VideoCodec = {
  name: "mpeg2",
  probed: "mpeg2video",
  encoder: "mpeg2video",
  containers: ["avi", "mov", "mp4", "mxf", "mpegts", "segmented_ts", "hls", "program_stream"],
  carrier: "mp4",
  reads: [...mpegFields, "profile", "level", "video_format"],
  mostPasses: 5,
  scans: allScans,
  pixelFormats: ["yuv420p", "yuv422p"],
  pixelFormat: (context) => {
    const { profile, level } = context.video;
    if (profile === "422P" || isD10(context)) return "yuv422p";
    return profile !== undefined || level !== undefined || isDvd(context) ? "yuv420p" : undefined;
  },
  check: (context, pixelFormat) => {
    checkMpegRate(context, "mpeg2");
    const { profile } = context.video;
    if (pixelFormat === "yuv420p" || profile === undefined || profile === "422P") return;
    throw definitionError(`${context.path}.chroma_format ${pixelFormat} contradicts profile ${profile}`);
  },
  options: (context, pixelFormat) =>
    isD10(context)
      ? d10Options(context)
      : {
          ...mpegOptions(context),
          profile: profileOf(context),
          level: levelOf(context, pixelFormat),
          video_format: context.video.video_format,
          flags: buildFlags({ scan: context.scan, isClosed: context.video.use_closed_gop }),
        },
};

const isD10 = ({ container, standard }: VideoContext) => container.muxer === "mxf_d10" || standard === xdcamImx;

/** Players of discs know the main profile only. */
const isDvd = ({ container: { kinds } }: VideoContext) => kinds.includes("dvd") || kinds.includes("vob");

const profileOf = ({ video: { profile }, path }: VideoContext): number | undefined =>
  rowNamed(profiles, profile, `${path}.profile`, "profile of mpeg2");

// The 4:2:2 profile numbers its levels differently.
const levelOf = ({ video: { level, profile }, path }: VideoContext, pixelFormat: string): number | undefined => {
  const found = rowNamed(levels, level, `${path}.level`, "level of mpeg2");
  return pixelFormat === "yuv422p" || profile === "422P" ? found?.high : found?.plain;
};
