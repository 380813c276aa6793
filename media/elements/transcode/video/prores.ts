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
  scans: allScans,
  pixelFormats: ["yuv422p10le", "yuv444p10le", "yuva444p10le"],
  pixelFormat: ({ video, source }) => {
    if (!video.profile?.startsWith("ap4")) return "yuv422p10le";
    return /^(yuva|rgba|bgra|argb|gbrap|ya)/.test(source.pixelFormat ?? "") ? "yuva444p10le" : "yuv444p10le";
  },
  // The vendor tag is Apple's, because some editors refuse files without it.
  options: (context) => ({ profile: profileOf(context), vendor: "apl0", flags: buildFlags(context) }),
};

const profileOf = ({ video: { profile = "apcn" }, path }: VideoContext): string | undefined =>
  rowNamed(profiles, profile, `${path}.profile`, "profile of prores");
