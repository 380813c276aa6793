import type { VideoFacts } from "../../../asset.ts";
import { TaskError } from "../../../causes.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { type Rational, toFraction } from "../../../rational.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import { constantRate } from "../../../virtual-source/zero.ts";
import type { Expectation } from "../../../work.ts";
import type { Conflict } from "../conflict.ts";
import type { Container } from "../containers/container.ts";
import { checkedPid } from "../containers/transport-stream.ts";
import type { Extras } from "../filters/extras.ts";
import type { Stage, VideoPlace } from "../filters/filter.ts";
import { throughVideo } from "../filters/through.ts";
import { notImplemented, refuseNotYet } from "../not-yet.ts";
import type { StreamRecipe } from "../recipe.ts";
import { colorFilters } from "./color.ts";
import { type CopyRequest, copiedVideo } from "./copy.ts";
import { fieldFilters, scanOf, wantedScan } from "./fields.ts";
import { videoCodecOf } from "./index.ts";
import { nearestFormat } from "./nearest-format.ts";
import { type Picture, pictureOf } from "./picture.ts";
import { type Sampling, samplingOf } from "./sampling.ts";
import { scaling } from "./scaling.ts";
import type { VideoTarget } from "./schema.ts";
import { trackNames } from "./track-names.ts";
import { encoderFields, type VideoCodec, type VideoContext } from "./video.ts";

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
  readonly container: Container;
  /** The timecode of the source's first frame. */
  readonly timecode?: string | undefined;
  readonly timecodeOf: VideoPlace["timecodeOf"];
  readonly extras: Extras;
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
  if (/dolby|thirdparty/.test(video.codec_provider ?? "")) {
    notImplemented(`${path}.codec_provider`, video.codec_provider);
  }
  return encoded(request, codec);
};

const encoded = (request: Request, codec: VideoCodec): VideoPlan => {
  const { video, path, conflict, container } = request;
  checkFields(video, codec, path, conflict);
  const read = filtered(request, "read", request.source);
  const sampling = samplingOf(video, read.facts, request.timing, path);
  const normalized = filtered(request, "normalized", { ...read.facts, ...ratesOf(sampling) });
  const source = { ...normalized.facts, ...ownRates(read.facts) };
  const picture = pictureOf(video, source, path);
  const shown = { ...picture, height: picture.height - (picture.blanking ?? 0) };
  const scan = wantedScan(video, source, codec, path);
  const { width, pixelAspect } = picture;
  const sized = { ...normalized.facts, width, height: shown.height, pixelAspect };
  const converted = filtered(request, "converted", sized);
  const seen = { ...source, ...colorsOf(converted.facts) };
  const fields = fieldFilters({
    ...{ from: scanOf(source), to: scan, own: constantRate(source) ?? source.averageFrameRate, rate: sampling.rate },
    isReshaped: shown.height !== source.height || shown.inner.height !== source.height,
  });
  const context = { video, source: seen, container, path, rate: sampling.rate, size: picture, scan, conflict };
  const whole = { ...context, timecode: request.timecode };
  const pixelFormat = formatOf(whole, codec);
  checkEven(picture, pixelFormat, path);
  codec.check?.(whole, pixelFormat);
  const twoPasses = request.passes > 1 && checkPasses(video, codec, request.passes, path, conflict);
  const filters = [
    ...read.filters,
    ...fields.before,
    ...(fields.settlesRate ? [] : sampling.filters),
    ...normalized.filters,
    ...scaling({ video, source, picture: shown, codec, pixelFormat, isInterlaced: fields.isInterlaced, path }),
    ...converted.filters,
    ...blankingLines(picture),
    ...fields.after,
    { name: "setsar", options: { sar: toFraction(picture.pixelAspect) } },
    ...colorFilters(video, seen, path),
    { name: "format", options: { pix_fmts: pixelFormat } },
  ];
  const options: Options = {
    c: codec.encoder,
    ...codec.options(whole, pixelFormat),
    ...passOptions(codec, twoPasses, request.slowFirstPass),
    fps_mode: "passthrough",
    enc_time_base: sampling.isVariable && !fields.settlesRate ? "1:90000" : undefined,
  };
  return {
    recipe: {
      ...{ track: source.index, filters, options, metadata: trackNames(video) },
      pid: checkedPid(video.pid, `${path}.pid`),
    },
    codec: codec.probed,
    twoPasses,
    ...countsOf(sampling),
    expect: { codec: codec.probed, width: picture.width, height: picture.height },
  };
};

/** The target's filters of one stage. Crops are by the size that the target would have without them. */
const filtered = ({ video, timing, timecodeOf, extras, source, path }: Request, stage: Stage, picture: VideoFacts) => {
  const target = pictureOf(video, source, path);
  return throughVideo(video.filters, stage, { picture, target, timing, timecodeOf, extras, path });
};

const ratesOf = ({ rate }: Sampling) => (rate ? { frameRate: rate, averageFrameRate: rate } : {});
const ownRates = ({ frameRate, averageFrameRate }: VideoFacts) => ({ frameRate, averageFrameRate });

const colorsOf = ({ pixelFormat, colorRange, colorSpace, colorPrimaries, colorTransfer, hdr }: VideoFacts) => {
  return { pixelFormat, colorRange, colorSpace, colorPrimaries, colorTransfer, hdr };
};

const formatOf = (context: VideoContext, codec: VideoCodec): string => {
  const { video, source, path } = context;
  const [usual = ""] = codec.pixelFormats;
  const found =
    video.chroma_format ??
    codec.pixelFormat?.(context) ??
    nearestFormat(source.pixelFormat, codec.pixelFormats) ??
    usual;
  if (codec.pixelFormats.includes(found)) return found;
  throw new TaskError("definition", `${path}.chroma_format "${found}" is no format of ${codec.name}`);
};

// The lines that tapes have above the picture: black, for they carry no signals here.
const blankingLines = ({ width, height, blanking }: Picture): Filter[] =>
  blanking ? [{ name: "pad", options: { w: width, h: height, x: 0, y: blanking } }] : [];

const passOptions = (codec: VideoCodec, twoPasses: boolean, slow: boolean): Options =>
  /^h26[45]$/.test(codec.name) && twoPasses && slow ? { fastfirstpass: 0 } : {};

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
  if (!codec.hasTwoPasses) conflict(`${path}: ${codec.name} knows no second pass`);
  if (video.bitrate_kb === undefined) conflict(`${path}: two passes need a bitrate_kb`);
  return codec.hasTwoPasses && video.bitrate_kb !== undefined;
};
