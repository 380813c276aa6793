import { TaskError } from "../../../causes.ts";
import { gopOf } from "./gop.ts";
import { rateControl } from "./rate-control.ts";
import { rawOptions } from "./raw-options.ts";
import { gopFields, rateFields, type VideoCodec, type VideoContext } from "./video.ts";

/** Profile of the job -> profile of libx265, and the pixel format that makes sense of it. */
const profiles: Readonly<Record<string, { readonly x265: string; readonly pixelFormat: string }>> = {
  main: { x265: "main", pixelFormat: "yuv420p" },
  main10: { x265: "main10", pixelFormat: "yuv420p10le" },
  "main-intra": { x265: "main-intra", pixelFormat: "yuv420p" },
  "main10-intra": { x265: "main10-intra", pixelFormat: "yuv420p10le" },
  "main422-10": { x265: "main422-10", pixelFormat: "yuv422p10le" },
  "main422-10-intra": { x265: "main422-10-intra", pixelFormat: "yuv422p10le" },
  "main444-10": { x265: "main444-10", pixelFormat: "yuv444p10le" },
  "main444-10-intra": { x265: "main444-10-intra", pixelFormat: "yuv444p10le" },
};

const tunes = ["psnr", "ssim", "grain", "fastdecode", "zerolatency", "animation"];

// Not among them, because they name files: csv, stats, analysis-save, analysis-load, qpfile, scaling-list, lambda-file,
// dhdr10-info, dolby-vision-rpu, zonefile, recon, input.
const allowed = new Set([
  ...["keyint", "min-keyint", "scenecut", "open-gop", "bframes", "b-adapt", "b-pyramid", "ref", "rc-lookahead", "rd"],
  ...["ctu", "min-cu-size", "max-tu-size", "rect", "amp", "early-skip", "rskip", "tu-intra-depth", "tu-inter-depth"],
  ...["limit-refs", "limit-modes", "limit-tu", "me", "subme", "merange", "max-merge", "temporal-mvp", "weightp"],
  ...["weightb", "strong-intra-smoothing", "psy-rd", "psy-rdoq", "rdoq-level", "rdpenalty", "signhide", "tskip"],
  ...["bitrate", "crf", "qp", "vbv-maxrate", "vbv-bufsize", "vbv-init", "vbv-end", "crf-max", "crf-min", "aq-mode"],
  ...["aq-strength", "cutree", "qcomp", "qpmin", "qpmax", "qpstep", "ipratio", "pbratio", "strict-cbr", "deblock"],
  ...["sao", "sao-non-deblock", "hrd", "aud", "repeat-headers", "info", "level-idc", "high-tier", "annexb", "hash"],
  ...[
    "colorprim",
    "transfer",
    "colormatrix",
    "range",
    "chromaloc",
    "videoformat",
    "sar",
    "hdr10",
    "hdr10-opt",
    "max-cll",
  ],
  ...[
    "master-display",
    "wpp",
    "pools",
    "frame-threads",
    "slices",
    "lookahead-slices",
    "no-open-gop",
    "uhd-bd",
    "rc-grain",
  ],
  ...[
    "fades",
    "hist-scenecut",
    "gop-lookahead",
    "radl",
    "intra-refresh",
    "cbqpoffs",
    "crqpoffs",
    "nr-intra",
    "nr-inter",
  ],
]);

export const h265: VideoCodec = {
  name: "h265",
  probed: "hevc",
  encoder: "libx265",
  reads: [...rateFields, ...gopFields, "profile", "level", "preset", "tune", "hrd_signaling", "vtag", "x265_options"],
  // x265 writes its log where it was started unless told a path inside one long word, which references cannot be.
  hasTwoPasses: false,
  isStill: false,
  pixelFormats: [
    "yuv420p",
    "yuvj420p",
    "yuv422p",
    "yuv420p10le",
    "yuv422p10le",
    "yuv444p10le",
    "yuv420p12le",
    "yuv422p12le",
  ],
  // The source's depth is kept: every HEVC player takes 10 bit.
  pixelFormat: (context) => profileOf(context)?.pixelFormat ?? (isDeep(context) ? "yuv420p10le" : "yuv420p"),
  options: (context) => {
    const { video, path } = context;
    if (video.tune !== undefined && !tunes.includes(video.tune)) {
      throw new TaskError("definition", `${path}.tune "${video.tune}" is no tune of h265`);
    }
    const gop = gopOf(context);
    const own = [
      gop.isClosed !== undefined && `open-gop=${gop.isClosed ? 0 : 1}`,
      gop.followsScenes === false && "scenecut=0",
      video.level !== undefined && `level-idc=${levelOf(context)}`,
      video.hrd_signaling === "encoder" && "hrd=1",
    ].filter((pair) => pair !== false);
    const raw = rawOptions(video.x265_options, allowed, `${path}.x265_options`);
    return {
      preset: video.preset,
      tune: video.tune,
      profile: profileOf(context)?.x265,
      ...rateControl(context),
      g: gop.max,
      keyint_min: gop.min,
      bf: video.max_bframes,
      refs: video.refs,
      tag: video.vtag,
      "x265-params": [...own, ...raw].join(":") || undefined,
    };
  },
};

const isDeep = ({ source }: VideoContext) => /1[0246](le|be)$/.test(source.pixelFormat ?? "");

const profileOf = ({ video, path }: VideoContext) => {
  if (video.profile === undefined) return undefined;
  const found = profiles[video.profile];
  if (!found) throw new TaskError("definition", `${path}.profile "${video.profile}" is no profile of h265`);
  return found;
};

const levelOf = ({ video: { level }, path }: VideoContext) => {
  if (level !== undefined && /^\d/.test(level)) return level;
  throw new TaskError("definition", `${path}.level "${level}" is no level of h265`);
};
