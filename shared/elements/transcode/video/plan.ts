import type { VideoFacts } from "../../../asset.ts";
import { TaskError } from "../../../causes.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { type Rational, toFraction } from "../../../rational.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import type { Expectation } from "../../../work.ts";
import type { Conflict } from "../conflict.ts";
import { notImplemented, refuseNotYet } from "../not-yet.ts";
import type { StreamRecipe } from "../recipe.ts";
import { colorScaling, colorTags } from "./color.ts";
import { type CopyRequest, copiedVideo } from "./copy.ts";
import { videoCodecOf } from "./index.ts";
import { type Picture, pictureOf, scalerFlags } from "./picture.ts";
import { type Sampling, samplingOf } from "./sampling.ts";
import type { VideoTarget } from "./schema.ts";
import { encoderFields, type VideoCodec } from "./video.ts";

export type VideoPlan = {
  readonly recipe: StreamRecipe;
  /** As ffprobe names it. */
  readonly codec: string;
  readonly twoPasses: boolean;
  /** Frames a second that come out. */
  readonly rate?: Rational;
  /** Images that come out at most and at least. */
  readonly limit?: number;
  readonly atLeast?: number;
  readonly expect: NonNullable<Expectation["video"]>;
};

type Request = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly timing: Timing;
  readonly passes: number;
  readonly slowFirstPass: boolean;
  readonly path: string;
  readonly conflict: Conflict;
  readonly cut?: CopyRequest["cut"];
};

/** One video track of a target: what is done to the source's pictures, and how they are encoded. */
export const planVideo = (request: Request): VideoPlan => {
  const { video, path } = request;
  refuseNotYet("video", video, path);
  if (video.codec === undefined) throw new TaskError("definition", `${path} has no codec`);
  if (video.codec === "copy") return copiedVideo(request);
  const codec = videoCodecOf(video.codec) ?? notImplemented(`${path}.codec`, video.codec);
  if (video.scaler?.kind === "zscale") notImplemented(`${path}.scaler.kind`, "zscale");
  if (/dolby|thirdparty/.test(video.codec_provider ?? "")) {
    notImplemented(`${path}.codec_provider`, video.codec_provider);
  }
  return encoded(request, codec);
};

const encoded = (
  { video, source, timing, passes, slowFirstPass, path, conflict }: Request,
  codec: VideoCodec,
): VideoPlan => {
  checkFields(video, codec, path, conflict);
  const sampling = samplingOf(video, source, timing, path);
  const picture = pictureOf(video, source, path);
  const context = { video, source, path, rate: sampling.rate, conflict };
  const pixelFormat = video.chroma_format ?? codec.pixelFormat(context);
  if (!codec.pixelFormats.includes(pixelFormat)) {
    throw new TaskError("definition", `${path}.chroma_format "${pixelFormat}" is no format of ${codec.name}`);
  }
  checkEven(picture, pixelFormat, path);
  const twoPasses = passes > 1 && checkPasses(video, codec, passes, path, conflict);
  const filters = [
    ...deinterlacing(video, source, codec, path),
    ...sampling.filters,
    ...scaling(video, source, picture, codec),
    { name: "setsar", options: { sar: toFraction(picture.pixelAspect) } },
    ...colorTags(video, source, path),
    { name: "format", options: { pix_fmts: pixelFormat } },
  ];
  const options: Options = {
    c: codec.encoder,
    ...codec.options(context),
    fastfirstpass: twoPasses && slowFirstPass ? 0 : undefined,
    fps_mode: "passthrough",
    enc_time_base: sampling.isVariable ? "1:90000" : undefined,
  };
  return {
    recipe: { track: source.index, filters, options, metadata: {} },
    codec: codec.probed,
    twoPasses,
    ...countsOf(sampling),
    expect: { codec: codec.probed, width: picture.width, height: picture.height },
  };
};

const countsOf = ({ rate, limit, atLeast }: Sampling) => ({ rate, limit, atLeast });

const checkFields = (video: VideoTarget, codec: VideoCodec, path: string, conflict: Conflict): void => {
  const foreign = encoderFields.find((field) => video[field] !== undefined && !codec.reads.includes(field));
  if (foreign) conflict(`${path}.${foreign} means nothing to ${codec.name}`);
};

const checkEven = ({ width, height }: Picture, pixelFormat: string, path: string): void => {
  const isHalved = /420/.test(pixelFormat);
  if (width % 2 === 1 && /42[02]|411/.test(pixelFormat)) {
    throw new TaskError("definition", `${path}.width ${width} is odd, ${pixelFormat} needs it even`);
  }
  if (height % 2 === 1 && isHalved) {
    throw new TaskError("definition", `${path}.height ${height} is odd, ${pixelFormat} needs it even`);
  }
};

const checkPasses = (video: VideoTarget, codec: VideoCodec, passes: number, path: string, conflict: Conflict) => {
  if (passes > 2) throw new TaskError("capability", `${path}: more than two passes are not implemented yet`);
  if (codec.name === "h265") throw new TaskError("capability", `${path}: two passes of h265 are not implemented yet`);
  if (!codec.hasTwoPasses) conflict(`${path}: ${codec.name} knows no second pass`);
  if (video.bitrate_kb === undefined) conflict(`${path}: two passes need a bitrate_kb`);
  return codec.hasTwoPasses && video.bitrate_kb !== undefined;
};

// The second letter is the field that is shown first, the first one the field that is stored first.
const topFirst = ["tt", "bt"];

const deinterlacing = (video: VideoTarget, source: VideoFacts, codec: VideoCodec, path: string): Filter[] => {
  if (video.interlace_mode === "tff" || video.interlace_mode === "bff") {
    notImplemented(`${path}.interlace_mode`, video.interlace_mode);
  }
  if (!source.fieldOrder || source.fieldOrder === "progressive") return [];
  if (codec.keepsFields && video.interlace_mode === undefined) return [];
  if (video.interlace_mode === undefined && !codec.isStill) {
    throw new TaskError(
      "capability",
      `${path}: the source is interlaced and interlaced output is not implemented yet; ask for interlace_mode progressive`,
    );
  }
  return [
    { name: "bwdif", options: { mode: "send_frame", parity: topFirst.includes(source.fieldOrder) ? "tff" : "bff" } },
  ];
};

const scaling = (video: VideoTarget, source: VideoFacts, picture: Picture, codec: VideoCodec): Filter[] => {
  const { width, height, inner } = picture;
  const color = colorScaling(codec, source);
  const dither = video.scaler?.dither;
  const isSame = inner.width === source.width && inner.height === source.height && !codec.isStill && !dither;
  const flags = scalerFlags(video, source, inner);
  const fitted: Filter[] = isSame
    ? []
    : [
        {
          name: "scale",
          options: { w: inner.width, h: inner.height, flags, sws_dither: dither === "none" ? 0 : dither, ...color },
        },
      ];
  if (inner.width > width || inner.height > height)
    return [...fitted, { name: "crop", options: { w: width, h: height } }];
  if (inner.width === width && inner.height === height) return fitted;
  const place = { x: evenHalf(width - inner.width), y: evenHalf(height - inner.height) };
  return [...fitted, { name: "pad", options: { w: width, h: height, ...place } }];
};

const evenHalf = (space: number) => Math.floor(space / 4) * 2;
