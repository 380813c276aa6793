import { TaskError } from "../../../causes.ts";
import { gopOf } from "./gop.ts";
import { rateControl } from "./rate-control.ts";
import { rawOptions } from "./raw-options.ts";
import { gopFields, rateFields, type VideoCodec, type VideoContext } from "./video.ts";

/** Profile of the job -> profile of libx264, and the pixel format that makes sense of it. */
const profiles: Readonly<Record<string, { readonly x264: string; readonly pixelFormat: string }>> = {
  baseline: { x264: "baseline", pixelFormat: "yuv420p" },
  main: { x264: "main", pixelFormat: "yuv420p" },
  high: { x264: "high", pixelFormat: "yuv420p" },
  high10: { x264: "high10", pixelFormat: "yuv420p10le" },
  high422: { x264: "high422", pixelFormat: "yuv422p10le" },
  high444: { x264: "high444", pixelFormat: "yuv444p10le" },
};

// Not among them, because they name files or change what the stream is: stats, qpfile, cqmfile, opencl-clbin, dump-yuv.
const allowed = new Set([
  ...["keyint", "min-keyint", "scenecut", "intra-refresh", "bframes", "b-adapt", "b-bias", "b-pyramid", "open-gop"],
  ...[
    "cabac",
    "ref",
    "deblock",
    "slices",
    "slice-max-size",
    "tff",
    "bff",
    "constrained-intra",
    "pulldown",
    "fake-interlaced",
  ],
  ...["qp", "bitrate", "crf", "rc-lookahead", "vbv-maxrate", "vbv-bufsize", "vbv-init", "crf-max", "qpmin", "qpmax"],
  ...["qpstep", "ratetol", "ipratio", "pbratio", "chroma-qp-offset", "aq-mode", "aq-strength", "mbtree", "qcomp"],
  ...["cplxblur", "qblur", "partitions", "direct", "weightb", "weightp", "me", "merange", "mvrange", "subme", "psy-rd"],
  ...["psy", "mixed-refs", "chroma-me", "8x8dct", "trellis", "fast-pskip", "dct-decimate", "nr", "deadzone-inter"],
  ...["deadzone-intra", "nal-hrd", "filler", "force-cfr", "aud", "pic-struct", "colorprim", "transfer", "colormatrix"],
  ...[
    "range",
    "overscan",
    "videoformat",
    "chromaloc",
    "sync-lookahead",
    "threads",
    "lookahead-threads",
    "sliced-threads",
  ],
  ...["level", "bluray-compat", "stitchable", "avcintra-class", "slow-firstpass"],
]);

export const h264: VideoCodec = {
  name: "h264",
  probed: "h264",
  encoder: "libx264",
  reads: [...rateFields, ...gopFields, "profile", "level", "preset", "tune", "hrd_signaling", "vtag", "x264_options"],
  hasTwoPasses: true,
  isStill: false,
  pixelFormats: ["yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv420p10le", "yuv422p10le", "yuv444p10le"],
  // 8 bit 4:2:0 unless a profile says otherwise: hardly a player takes more.
  pixelFormat: (context) => profileOf(context)?.pixelFormat ?? "yuv420p",
  options: (context) => {
    const { video, path } = context;
    const gop = gopOf(context);
    const open = gop.isClosed === undefined ? [] : [`open-gop=${gop.isClosed ? 0 : 1}`];
    const hrd = video.hrd_signaling === "encoder" ? [`nal-hrd=${video.bitrate_mode === "cbr" ? "cbr" : "vbr"}`] : [];
    const raw = rawOptions(video.x264_options, allowed, `${path}.x264_options`);
    return {
      preset: video.preset,
      tune: video.tune,
      profile: profileOf(context)?.x264,
      level: levelOf(context),
      ...rateControl(context),
      g: gop.max,
      keyint_min: gop.min,
      sc_threshold: gop.followsScenes === false ? 0 : undefined,
      bf: video.max_bframes,
      refs: video.refs,
      tag: video.vtag,
      "x264-params": [...open, ...hrd, ...raw].join(":") || undefined,
    };
  },
};

const profileOf = ({ video, path }: VideoContext) => {
  if (video.profile === undefined) return undefined;
  const found = profiles[video.profile];
  if (!found) throw new TaskError("definition", `${path}.profile "${video.profile}" is no profile of h264`);
  return found;
};

const levelOf = ({ video: { level }, path }: VideoContext) => {
  if (level === undefined || /^\d/.test(level)) return level;
  throw new TaskError("definition", `${path}.level "${level}" is no level of h264`);
};
