import { max, type Rational, toNumber } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { bitDepthOf, colorSpaceOf } from "../../../formats/pixel-format.ts";
import { lateBy, partialStarts } from "../../../formats/stream-timing.ts";
import type { Conflict } from "../conflicts/conflict.ts";
import { notImplemented, refuseUnsupported } from "../conflicts/unsupported-fields.ts";
import type { Container } from "../containers/container.ts";
import { checkedPid } from "../containers/transport-stream.ts";
import { checkPicture, encoderOf, type Standard } from "../standards/standard.ts";
import { type CopyRequest, copiedVideo } from "./encoding/copy.ts";
import { lossInFormat } from "./encoding/losses.ts";
import { nearestFormat } from "./encoding/nearest-format.ts";
import { videoCodecOf, videoCodecs } from "./index.ts";
import { withoutDolbyVision } from "./picture/dolby-vision.ts";
import { hdr10Of } from "./picture/hdr10.ts";
import type { Size } from "./picture/picture.ts";
import { buildPipeline, type PipelineRequest } from "./picture/pipeline.ts";
import type { Sampling } from "./picture/sampling.ts";
import type { VideoTarget } from "./schema.ts";
import { trackNames } from "./track-names.ts";
import { type EncoderField, encoderFields, type VideoCodec, type VideoContext, type VideoPlan } from "./video.ts";

type Request = PipelineRequest & {
  readonly passes: number;
  /** The delivery standard that the target follows. */
  readonly standard?: Standard | undefined;
  readonly slowFirstPass: boolean;
  readonly container: Container;
  readonly hasEditList: boolean;
  /** The timecode of the source's first frame. */
  readonly timecode?: string | undefined;
  readonly conflict: Conflict;
  readonly cut?: CopyRequest["cut"];
};

/** One video track of a target: its filters, and how it is encoded. */
export const planVideo = (asked: Request): VideoPlan => {
  const request = { ...asked, ...withoutDolbyVision(asked, asked.path, asked.extras.warn) };
  const { video, path } = request;
  refuseUnsupported("video", video, path);
  const name = video.codec ?? stillOf(request.container);
  if (name === undefined) throw definitionError(`${path} has no codec`);
  tellPartial(request);
  if (name === "copy") return copiedVideo(request);
  const named = videoCodecOf(name) ?? notImplemented(`${path}.codec`, name);
  const codec = named.variant?.(request) ?? named;
  if (/dolby|thirdparty/.test(video.codec_provider ?? "")) {
    notImplemented(`${path}.codec_provider`, video.codec_provider);
  }
  return encoded(request, codec);
};

/** ffmpeg leaves out a picture of which an edit list shows only the end. */
const tellPartial = ({ source, path, extras }: Request): void => {
  const late = lateBy(source);
  const early = partialStarts(source).filter(({ num }) => num > 0);
  if (early.length === 0) return;
  const inMs = (time: Rational) => `${Math.round(toNumber(time) * 1000)} ms`;
  const what = late
    ? `begins within a picture, which is left out: the output begins ${inMs(late)} later, with the next one`
    : `has parts that begin within a picture, which is left out: the others of the part are up to ${inMs(early.reduce(max))} early`;
  extras.warn(`${path}: the source's edit list ${what}`);
};

/** Containers of images hold one codec; the job need not name it. */
const stillOf = ({ isImages, video }: Container): string | undefined =>
  isImages ? videoCodecs.find(({ probed, isStill }) => isStill && video.test(probed))?.name : undefined;

const encoded = (request: Request, codec: VideoCodec): VideoPlan => {
  const { video, path, conflict, container, standard } = request;
  checkFields(video, codec, container, path, conflict);
  const made = buildPipeline(request, codec);
  const { picture, scan, rate, sampling } = made;
  const context = {
    video,
    source: made.seen,
    container,
    path,
    rate,
    size: picture,
    scan,
    standard,
    conflict,
    tell: request.extras.warn,
  };
  const whole = { ...context, timecode: request.timecode };
  const pixelFormat = formatOf(whole, codec);
  const hdr10 = codec.hasHdr10 ? undefined : hdr10Of(whole);
  checkEven(picture, pixelFormat, path);
  checkLeast(picture, codec, path);
  const lost = lossInFormat(made.seen.pixelFormat, pixelFormat, video.chroma_format !== undefined);
  if (lost) request.extras.warn(`${path}: ${made.seen.pixelFormat} becomes ${pixelFormat} in ${codec.name}: ${lost}`);
  codec.check?.(whole, pixelFormat);
  const codestream = codec.codestream?.(whole, pixelFormat);
  if (standard?.codec === codec.name) checkPicture(standard, { ...picture, rate }, path);
  const passes = request.passes > 1 ? usedPasses(video, codec, request.passes, path, conflict) : 1;
  const options: Options = {
    c: codec.encoder,
    ...codec.options(whole, pixelFormat),
    ...(standard?.codec === codec.name ? encoderOf(standard, picture) : undefined),
    ...passOptions(codec, passes, request.slowFirstPass),
    fps_mode: "passthrough",
    enc_time_base: made.isVariable ? `1:${codec.mostTicks ?? 90_000}` : undefined,
  };
  return {
    recipe: {
      ...{ track: request.source.index, filters: made.filters(pixelFormat), options, metadata: trackNames(video) },
      pid: checkedPid(video.pid, `${path}.pid`),
    },
    codec: codec.probed,
    passes,
    colors: made.colors(pixelFormat),
    ...(hdr10 && { hdr10 }),
    ...(codestream && { codestream }),
    ...(!made.isVariable && sampling.limit === undefined && { counts: sampling.filters.length > 0 ? "made" : "kept" }),
    ...countsOf(sampling, made.timesFrames, rate),
    expect: { codec: codec.probed, width: picture.width, height: picture.height },
  };
};

const formatOf = (context: VideoContext, codec: VideoCodec): string => {
  const { video, source, container, path } = context;
  const [usual = ""] = codec.pixelFormats;
  const asked = video.chroma_format && (codec.packing?.(video.chroma_format, container) ?? video.chroma_format);
  const found =
    asked ??
    (video.color_matrix === "rgb" ? rgbFormat(source.pixelFormat, codec) : undefined) ??
    codec.pixelFormat?.(context) ??
    nearestFormat(source.pixelFormat, codec.pixelFormats) ??
    usual;
  if (video.color_matrix === "rgb" && colorSpaceOf(found) !== "RGB")
    throw definitionError(`${path}.color_matrix rgb: ${found} of ${codec.name} has no red, green and blue`);
  if (codec.pixelFormats.includes(found)) return found;
  throw definitionError(`${path}.chroma_format "${found}" is no format of ${codec.name}`);
};

const rgbFormat = (source: string | undefined, codec: VideoCodec): string | undefined => {
  const formats = codec.pixelFormats.filter((format) => colorSpaceOf(format) === "RGB");
  return nearestFormat(colorSpaceOf(source) === "RGB" ? source : rgbLike(source), formats) ?? formats[0];
};

/** Red, green and blue with as many bits. */
const rgbLike = (format: string | undefined): string => ((bitDepthOf(format) ?? 8) > 8 ? "rgb48le" : "rgb24");

const passOptions = (codec: VideoCodec, passes: number, slow: boolean): Options =>
  /^h26[45]$/.test(codec.name) && passes > 1 && slow ? { fastfirstpass: 0 } : {};

const countsOf = ({ limit, atLeast }: Sampling, times: Rational, rate: Rational | undefined) => ({
  ...{ rate, limit },
  atLeast: atLeast === undefined ? undefined : Math.floor(atLeast * toNumber(times)),
});

const checkFields = (
  video: VideoTarget,
  codec: VideoCodec,
  { muxer }: Pick<Container, "muxer">,
  path: string,
  conflict: Conflict,
): void => {
  const isRead = (field: EncoderField) =>
    codec.reads.includes(field) || (field === "hdr10" && /^(mov|mp4|matroska|webm|mxf)$/.test(muxer));
  const foreign = encoderFields.find((field) => video[field] !== undefined && !isRead(field));
  if (foreign) conflict(`${path}.${foreign} means nothing to ${codec.name}`);
};

const checkEven = ({ width, height }: Size, pixelFormat: string, path: string): void => {
  const isHalved = /420/.test(pixelFormat);
  if (width % 2 === 1 && /42[02]|411/.test(pixelFormat)) {
    throw definitionError(`${path}.width ${width} is odd, ${pixelFormat} needs it even`);
  }
  if (height % 2 === 1 && isHalved) {
    throw definitionError(`${path}.height ${height} is odd, ${pixelFormat} needs it even`);
  }
};

const checkLeast = ({ width, height }: Size, { name, leastSize: least }: VideoCodec, path: string): void => {
  if (least && (width < least.width || height < least.height))
    throw definitionError(
      `${path}: ${name} has pictures of at least ${least.width}x${least.height}, not ${width}x${height}`,
    );
};

const usedPasses = (
  video: VideoTarget,
  codec: VideoCodec,
  passes: number,
  path: string,
  conflict: Conflict,
): number => {
  const { name, mostPasses = 1 } = codec;
  if (mostPasses === 1) conflict(`${path}: ${name} has no second pass`);
  else if (passes > mostPasses) conflict(`${path}: ${name} has no more than ${mostPasses} passes`);
  if (video.bitrate_kb === undefined) conflict(`${path}: ${passes === 2 ? "two" : passes} passes need a bitrate_kb`);
  return video.bitrate_kb === undefined ? 1 : Math.min(passes, mostPasses);
};
