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
type Level = { readonly high: number; readonly plain: number; readonly width: number; readonly height: number };
const levels: Readonly<Record<string, Level>> = {
  HL: { plain: 4, high: 2, width: 1920, height: 1152 },
  H14: { plain: 6, high: 4, width: 1440, height: 1152 },
  ML: { plain: 8, high: 5, width: 720, height: 608 },
  LL: { plain: 10, high: 6, width: 352, height: 288 },
};

export const mpeg2: VideoCodec = {
  name: "mpeg2",
  probed: "mpeg2video",
  encoder: "mpeg2video",
  containers: ["avi", "mov", "mp4", "mxf", "mpegts", "segmented_ts", "hls", "program_stream"],
  carrier: "mp4",
  reads: [...mpegFields, "profile", "level", "video_format"],
  values: { profile: Object.keys(profiles), level: Object.keys(levels) },
  formatsOf: (profile) => (profile === "422P" ? ["yuv420p", "yuv422p"] : ["yuv420p"]),
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
          profile: profileOf(context, pixelFormat),
          level: levelOf(context, pixelFormat),
          video_format: context.video.video_format,
          flags: buildFlags({ scan: context.scan, isClosed: context.video.use_closed_gop }),
        },
};

const isD10 = ({ container, standard }: VideoContext) => container.muxer === "mxf_d10" || standard === xdcamImx;

/** Players of discs and program streams know the main profile only. */
const isDvd = ({ container: { muxer } }: VideoContext) => /^(dvd|vob)$/.test(muxer);

// The encoder takes a level only together with a profile.
const profileOf = ({ video: { profile, level }, path }: VideoContext, pixelFormat: string): number | undefined =>
  rowNamed(
    profiles,
    profile ?? (level && (pixelFormat === "yuv422p" ? "422P" : "MP")),
    `${path}.profile`,
    "profile of mpeg2",
  );

// The 4:2:2 profile numbers its levels differently.
const levelOf = ({ video: { level, profile }, path, size }: VideoContext, pixelFormat: string): number | undefined => {
  const found = rowNamed(levels, level, `${path}.level`, "level of mpeg2");
  if (found && (size.width > found.width || size.height > found.height)) {
    const most = `${found.width}x${found.height}`;
    throw definitionError(`${path}.level ${level} has pictures of up to ${most}, not ${size.width}x${size.height}`);
  }
  return pixelFormat === "yuv422p" || profile === "422P" ? found?.high : found?.plain;
};
