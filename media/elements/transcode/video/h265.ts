import { toFraction, toNumber } from "../../../../shared/basics/rational.ts";
import { wordsIn } from "../../../../shared/basics/words.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { bitDepthOf, chromaOf } from "../../../formats/pixel-format.ts";
import { planGop } from "./encoding/gop.ts";
import { refuseHrd, videoFormat } from "./encoding/headers.ts";
import { forcedKeyframes } from "./encoding/keyframes.ts";
import { rowNamed } from "./encoding/named-row.ts";
import { playableFormat } from "./encoding/playable-format.ts";
import { rateControl } from "./encoding/rate-control.ts";
import { rawOptions } from "./encoding/raw-options.ts";
import { x265Hdr10 } from "./picture/hdr10.ts";
import { gopFields, rateFields, type VideoCodec, type VideoContext } from "./video.ts";

/** Profile in jobs, also libx265's name -> the pixel format that it is usually chosen for. */
const profiles: Readonly<Record<string, { readonly pixelFormat: string }>> = {
  main: { pixelFormat: "yuv420p" },
  main10: { pixelFormat: "yuv420p10le" },
  "main-intra": { pixelFormat: "yuv420p" },
  "main444-8": { pixelFormat: "yuv444p" },
  "main444-intra": { pixelFormat: "yuv444p" },
  "main10-intra": { pixelFormat: "yuv420p10le" },
  "main422-10": { pixelFormat: "yuv422p10le" },
  "main422-10-intra": { pixelFormat: "yuv422p10le" },
  "main444-10": { pixelFormat: "yuv444p10le" },
  "main444-10-intra": { pixelFormat: "yuv444p10le" },
};

/** Points of a picture, and points a second, of each level (ITU-T H.265, table A.8 and A.9). */
const hevcLevels: Readonly<Record<string, readonly [picture: number, second: number]>> = {
  ...{ "1.0": [36_864, 552_960], "2.0": [122_880, 3_686_400], "2.1": [245_760, 7_372_800] },
  ...{ "3.0": [552_960, 16_588_800], "3.1": [983_040, 33_177_600], "4.0": [2_228_224, 66_846_720] },
  ...{ "4.1": [2_228_224, 133_693_440], "5.0": [8_912_896, 267_386_880], "5.1": [8_912_896, 534_773_760] },
  ...{ "5.2": [8_912_896, 1_069_547_520], "6.0": [35_651_584, 1_069_547_520] },
};

const tunes = ["psnr", "ssim", "grain", "fastdecode", "zerolatency", "animation"];

// Left out, because they name files: csv, stats, analysis-save, analysis-load, qpfile, scaling-list, lambda-file,
// dhdr10-info, dolby-vision-rpu, zonefile, recon, input.
const allowed = new Set(
  wordsIn(`
    keyint min-keyint scenecut open-gop bframes b-adapt b-pyramid ref rc-lookahead rd ctu min-cu-size max-tu-size
    rect amp early-skip rskip tu-intra-depth tu-inter-depth limit-refs limit-modes limit-tu me subme merange
    max-merge temporal-mvp weightp weightb strong-intra-smoothing psy-rd psy-rdoq rdoq-level rdpenalty signhide
    tskip bitrate crf qp vbv-maxrate vbv-bufsize vbv-init vbv-end crf-max crf-min aq-mode aq-strength cutree qcomp
    qpmin qpmax qpstep ipratio pbratio strict-cbr deblock sao sao-non-deblock hrd aud repeat-headers info level-idc
    high-tier annexb hash colorprim transfer colormatrix range chromaloc videoformat sar hdr10 hdr10-opt hdr hdr-opt
    max-cll master-display wpp pools frame-threads slices lookahead-slices no-open-gop uhd-bd rc-grain fades
    hist-scenecut gop-lookahead radl intra-refresh cbqpoffs crqpoffs nr-intra nr-inter qg-size selective-sao
    limit-sao fast-intra b-intra cu-lossless tskip-fast const-vbv hevc-aq aq-motion ssim-rd splitrd-skip max-luma
    min-luma hrd-concat single-sei temporal-layers min-vbv-fullness max-vbv-fullness scenecut-bias slow-firstpass
    dynamic-rd pmode pme
  `),
);

export const h265: VideoCodec = {
  name: "h265",
  probed: "hevc",
  encoder: "libx265",
  containers: ["mov", "mp4", "mpegts", "segmented_ts", "hls", "dash", "program_stream"],
  carrier: "mp4",
  keptPictures: 120,
  pixelCost: 4,
  reads: [
    ...[...rateFields, ...gopFields],
    ...(["profile", "level", "preset", "tune", "hrd_signaling", "vtag", "x265_options", "slices"] as const),
    ...(["use_loop_filter", "video_format", "hdr10"] as const),
  ],
  values: {
    profile: Object.keys(profiles),
    level: Object.keys(hevcLevels),
    tune: tunes,
    vtag: ["hvc1", "hev1", "dvh1"],
  },
  hasHdr10: true,
  mostPasses: 5,
  pixelFormats: wordsIn("yuv420p yuvj420p yuv422p yuv444p yuv420p10le yuv422p10le yuv444p10le yuv420p12le yuv422p12le"),
  pixelFormat: (context) => profileOf(context)?.pixelFormat ?? playableFormat(context, true),
  check: (context, pixelFormat) => {
    const usual = profileOf(context)?.pixelFormat;
    if (usual === undefined || holds(usual, pixelFormat)) return;
    const { path, video } = context;
    throw definitionError(`${path}.chroma_format ${pixelFormat} contradicts profile ${video.profile}`);
  },
  formatsOf: (profile) => h265.pixelFormats.filter((format) => holds(profiles[profile]?.pixelFormat ?? "", format)),
  options: (context) => {
    const { video, path } = context;
    if (video.tune !== undefined && !tunes.includes(video.tune)) {
      throw definitionError(`${path}.tune "${video.tune}" is no tune of h265`);
    }
    const gop = planGop(context);
    const { rc_init_occupancy, ...rate } = rateControl(context);
    return {
      preset: video.preset,
      tune: video.tune,
      profile: profileOf(context) && video.profile,
      ...rate,
      g: gop.max,
      keyint_min: gop.min,
      bf: video.max_bframes,
      refs: video.refs,
      force_key_frames: forcedKeyframes(context),
      "forced-idr": video.forced_keyframes === undefined ? undefined : 1,
      tag: video.vtag,
      "x265-params": paramsOf(context, rc_init_occupancy).join(":") || undefined,
    };
  },
};

const paramsOf = (context: VideoContext, occupancy: Options[string]): string[] => {
  const { video, path } = context;
  const gop = planGop(context);
  refuseHrd(context);
  const own = [
    gop.isClosed !== undefined && `open-gop=${gop.isClosed ? 0 : 1}`,
    gop.followsScenes === false && "scenecut=0",
    video.level !== undefined && `level-idc=${levelOf(context)}`,
    video.hrd_signaling === "encoder" && "hrd=1",
    video.slices !== undefined && `slices=${Math.max(1, video.slices)}`,
    video.use_loop_filter !== undefined && `no-deblock=${video.use_loop_filter ? 0 : 1}`,
    video.video_format !== undefined && `videoformat=${videoFormat(video.video_format)}`,
    occupancy !== undefined && `vbv-init=${Number(occupancy) / 1000}`,
  ].filter((pair) => pair !== false);
  return [...own, ...x265Hdr10(context), ...rawOptions(video.x265_options, allowed, `${path}.x265_options`)];
};

// A profile also allows formats with less depth and less chroma than its usual one.
const holds = (usual: string, format: string): boolean =>
  (bitDepthOf(format) ?? 8) <= (bitDepthOf(usual) ?? 8) && (chromaOf(format) ?? "") <= (chromaOf(usual) ?? "");

const profileOf = ({ video, path }: VideoContext) =>
  rowNamed(profiles, video.profile, `${path}.profile`, "profile of h265");

const levelOf = ({ video: { level }, path, size, rate }: VideoContext) => {
  const found = rowNamed(hevcLevels, level, `${path}.level`, "level of h265");
  if (!found) return level;
  const points = size.width * size.height;
  const [picture, second] = found;
  if (points <= picture && points * (rate ? toNumber(rate) : 0) <= second) return level;
  const asked = `${size.width}x${size.height}${rate ? ` at ${toFraction(rate)}` : ""}`;
  throw definitionError(`${path}.level ${level} has ${picture} points a picture and ${second} a second, not ${asked}`);
};
