import { definitionError } from "../../../../shared/model/failure.ts";
import { chromaOf, colorSpaceOf, hasAlpha } from "../../../formats/pixel-format.ts";
import { buildFlags } from "./encoding/flags.ts";
import { rowNamed } from "./encoding/named-row.ts";
import { allScans, type VideoCodec, type VideoContext } from "./video.ts";

/** Apple's four letters -> profile of the encoder. */
const profiles: Readonly<Record<string, string>> = {
  apco: "proxy",
  apcs: "lt",
  apcn: "standard",
  apch: "hq",
  ap4h: "4444",
  ap4x: "4444xq",
};

export const prores: VideoCodec = {
  name: "prores",
  probed: "prores",
  encoder: "prores_ks",
  containers: ["mov", "mxf"],
  carrier: "mov",
  isIntra: true,
  reads: ["profile"],
  values: { profile: Object.keys(profiles) },
  formatsOf: (profile) => prores.pixelFormats.filter((format) => isFull(format) === isFullProfile(profile)),
  scans: allScans,
  pixelFormats: ["yuv422p10le", "yuv444p10le", "yuva444p10le"],
  pixelFormat: ({ video: { profile }, source: { pixelFormat } }) => {
    if (profile === undefined ? !isFull(pixelFormat) : !isFullProfile(profile)) return "yuv422p10le";
    return hasAlpha(pixelFormat) ? "yuva444p10le" : "yuv444p10le";
  },
  check: ({ video: { profile }, path }, pixelFormat) => {
    if (profile === undefined || isFullProfile(profile) === isFull(pixelFormat)) return;
    throw definitionError(`${path}.chroma_format ${pixelFormat} contradicts profile ${profile}`);
  },
  // The vendor tag is Apple's, because some editors refuse files without it.
  options: (context, pixelFormat) => ({
    profile: profileOf(context, pixelFormat),
    vendor: "apl0",
    flags: buildFlags(context),
  }),
};

/** Those with a colour for each point, and transparency: the encoder would call any format what the profile says. */
const isFullProfile = (profile: string): boolean => profile.startsWith("ap4");

const isFull = (format: string | undefined): boolean =>
  hasAlpha(format) || colorSpaceOf(format) === "RGB" || chromaOf(format) === "CS_444";

const profileOf = ({ video, path }: VideoContext, pixelFormat: string): string | undefined =>
  rowNamed(profiles, video.profile ?? (isFull(pixelFormat) ? "ap4h" : "apcn"), `${path}.profile`, "profile of prores");
