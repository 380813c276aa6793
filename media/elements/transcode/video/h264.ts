import { wordsIn } from "../../../../shared/basics/words.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { buildFlags } from "./encoding/flags.ts";
import { planGop } from "./encoding/gop.ts";
import { refuseHrd, videoFormat } from "./encoding/headers.ts";
import { forcedKeyframes } from "./encoding/keyframes.ts";
import { rowNamed } from "./encoding/named-row.ts";
import { playableFormat } from "./encoding/playable-format.ts";
import { rateControl } from "./encoding/rate-control.ts";
import { rawOptions } from "./encoding/raw-options.ts";
import { x264Hdr10 } from "./picture/hdr10.ts";
import { levels } from "./values.ts";
import { allScans, gopFields, rateFields, type VideoCodec, type VideoContext } from "./video.ts";

const plain = ["yuv420p", "yuvj420p"];
const deep = [...plain, "yuv420p10le"];
const broad = [...deep, "yuv422p", "yuvj422p", "yuv422p10le"];

/** Profile in jobs -> its pixel formats, and the one that it is usually chosen for. */
const profiles: Readonly<Record<string, { readonly formats: readonly string[]; readonly usual: string }>> = {
  baseline: { formats: plain, usual: "yuv420p" },
  main: { formats: plain, usual: "yuv420p" },
  high: { formats: plain, usual: "yuv420p" },
  high10: { formats: deep, usual: "yuv420p10le" },
  high422: { formats: broad, usual: "yuv422p10le" },
  high444: { formats: [...broad, "yuv444p10le"], usual: "yuv444p10le" },
};

// Left out, because they name files or change the kind of stream: stats, qpfile, cqmfile, opencl-clbin, dump-yuv.
const allowed = new Set(
  wordsIn(`
    keyint min-keyint scenecut intra-refresh bframes b-adapt b-bias b-pyramid open-gop cabac ref deblock slices
    slice-max-size tff bff constrained-intra pulldown fake-interlaced qp bitrate crf rc-lookahead vbv-maxrate
    vbv-bufsize vbv-init crf-max qpmin qpmax qpstep ratetol ipratio pbratio chroma-qp-offset aq-mode aq-strength
    mbtree qcomp cplxblur qblur partitions direct weightb weightp me merange mvrange subme psy-rd psy mixed-refs
    chroma-me 8x8dct trellis fast-pskip dct-decimate nr deadzone-inter deadzone-intra nal-hrd filler force-cfr aud
    pic-struct colorprim transfer colormatrix range overscan videoformat chromaloc sync-lookahead threads
    lookahead-threads sliced-threads level bluray-compat stitchable avcintra-class slow-firstpass
  `),
);

export const h264: VideoCodec = {
  name: "h264",
  probed: "h264",
  encoder: "libx264",
  containers: ["avi", "mov", "mp4", "mxf", "mpegts", "segmented_ts", "hls", "dash", "program_stream"],
  carrier: "mp4",
  keptPictures: 160,
  reads: [
    ...[...rateFields, ...gopFields],
    ...(["profile", "level", "preset", "tune", "hrd_signaling", "vtag", "x264_options", "slices"] as const),
    ...(["use_cabac", "use_loop_filter", "video_format", "hdr10"] as const),
  ],
  values: {
    profile: Object.keys(profiles),
    level: levels.filter((level) => /^\d/.test(level)),
    vtag: ["avc1"],
  },
  formatsOf: (profile) => profiles[profile]?.formats ?? [],
  mostPasses: 5,
  scans: allScans,
  hasHdr10: true,
  pixelFormats: ["yuv420p", "yuvj420p", "yuv422p", "yuvj422p", "yuv420p10le", "yuv422p10le", "yuv444p10le"],
  pixelFormat: (context) => profileOf(context)?.usual ?? playableFormat(context, false),
  check: (context, pixelFormat) => {
    const profile = profileOf(context);
    if (!profile || profile.formats.includes(pixelFormat)) return;
    const { path, video } = context;
    throw definitionError(`${path}.chroma_format ${pixelFormat} contradicts profile ${video.profile}`);
  },
  options: (context) => {
    const { video } = context;
    const gop = planGop(context);
    return {
      preset: video.preset,
      tune: video.tune,
      profile: profileOf(context) && video.profile,
      level: levelOf(context),
      ...rateControl(context),
      g: gop.max,
      keyint_min: gop.min,
      sc_threshold: gop.followsScenes === false ? 0 : undefined,
      bf: video.max_bframes,
      refs: video.refs,
      slices: video.slices,
      force_key_frames: forcedKeyframes(context),
      "forced-idr": video.forced_keyframes === undefined ? undefined : 1,
      flags: buildFlags({ scan: context.scan }),
      tag: video.vtag,
      "x264-params": paramsOf(context).join(":") || undefined,
    };
  },
};

/** x264 announces the lowest profile that its tools need, so the preset that uses almost none gets one of the profile's. */
const toolOfProfile = ({ preset, profile, use_cabac }: VideoContext["video"]): string[] => {
  if (preset !== "ultrafast") return [];
  if (profile === "high") return ["8x8dct=1"];
  return profile === "main" && use_cabac === undefined ? ["cabac=1"] : [];
};

const paramsOf = (context: VideoContext): string[] => {
  const { video, scan, path } = context;
  const { isClosed } = planGop(context);
  refuseHrd(context);
  return [
    ...(isClosed === undefined ? [] : [`open-gop=${isClosed ? 0 : 1}`]),
    ...(video.hrd_signaling === "encoder" ? [`nal-hrd=${video.bitrate_mode === "cbr" ? "cbr" : "vbr"}`] : []),
    ...(video.use_cabac === undefined ? [] : [`cabac=${video.use_cabac ? 1 : 0}`]),
    ...toolOfProfile(video),
    ...(video.use_loop_filter === undefined ? [] : [`no-deblock=${video.use_loop_filter ? 0 : 1}`]),
    ...(scan === "progressive" ? [] : [`${scan}=1`]),
    ...(video.video_format === undefined ? [] : [`videoformat=${videoFormat(video.video_format)}`]),
    ...x264Hdr10(context),
    ...rawOptions(video.x264_options, allowed, `${path}.x264_options`),
  ];
};

const profileOf = ({ video, path }: VideoContext) =>
  rowNamed(profiles, video.profile, `${path}.profile`, "profile of h264");

const levelOf = ({ video: { level }, path }: VideoContext) => {
  if (level === undefined || /^\d/.test(level)) return level;
  throw definitionError(`${path}.level "${level}" is no level of h264`);
};
