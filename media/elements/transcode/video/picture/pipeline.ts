import type { VideoFacts } from "../../../asset.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { invert, multiply, parseFrameRate, type Rational, ratio, toFraction } from "../../../rational.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import { constantRate } from "../../../virtual-source/zero.ts";
import type { Extras } from "../filters/extras.ts";
import type { Stage, VideoPlace } from "../filters/filter.ts";
import { throughVideo } from "../filters/through.ts";
import { safeLevels } from "./broadcast-safe.ts";
import { betweenDefinitions, colorFilters } from "./color.ts";
import { fieldFilters, scanOf, wantedScan } from "./fields.ts";
import { pulldownOf } from "./filters/telecine.ts";
import { withoutStaleHdr } from "./hdr10.ts";
import { croppedPictureOf, type Picture, pictureOf } from "./picture.ts";
import { samplingOf } from "./sampling.ts";
import { scaling } from "./scaling.ts";
import type { VideoTarget } from "./schema.ts";
import type { VideoCodec } from "./video.ts";

export type PipelineRequest = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly timing: Timing;
  readonly timecodeOf: VideoPlace["timecodeOf"];
  readonly extras: Extras;
  readonly path: string;
};

/**
 * Everything between decoding and encoding of pictures: fields and rate, size, colour, and the job's own filters at
 * their stages. Each hands its facts on to the next, so that each knows its input.
 */
export const pipelineOf = (request: PipelineRequest, codec: VideoCodec) => {
  const { video, path } = request;
  const pulldown = pulldownOf(video.filters);
  const timesFrames = pulldown?.timesFrames ?? ratio(1);
  const read = filtered(request, "read", request.source);
  const sampling = samplingOf(beforePulldown(video, timesFrames), read.facts, request.timing, path, codec.isStill);
  const normalized = filtered(request, "normalized", { ...read.facts, ...ratesOf(sampling.rate) });
  const source = { ...normalized.facts, ...ownRates(read.facts) };
  const { width: wide, height: high } = request.source;
  const picture = keepsSize(video)
    ? croppedPictureOf(video, { ...source, width: wide, height: high }, source, path)
    : pictureOf(video, source, path);
  const shown = { ...picture, height: picture.height - (picture.blanking ?? 0) };
  const scan = wantedScan(video, pulldown ? { ...source, fieldOrder: pulldown.fieldOrder } : source, codec, path);
  if (scan === "progressive" && scanOf(source) !== scan && !pulldown && !codec.isStill && !video.interlace_mode)
    request.extras.warn(`${path}: the source is interlaced and ${codec.name} is not: its fields become pictures`);
  const { width, pixelAspect } = picture;
  const sized = { ...normalized.facts, width, height: shown.height, pixelAspect };
  const converted = filtered(request, "converted", sized);
  const seen = { ...source, ...colorsOf(converted.facts) };
  const fields = fieldFilters({
    ...{ from: scanOf(source), own: constantRate(source) ?? source.averageFrameRate, rate: sampling.rate },
    to: pulldown ? "progressive" : scan,
    isReshaped: shown.height !== source.height || shown.inner.height !== source.height,
  });
  const { isInterlaced, settlesRate } = fields;
  return {
    ...{ picture, scan, sampling, seen, timesFrames },
    rate: sampling.rate && multiply(sampling.rate, timesFrames),
    isVariable: sampling.isVariable && !settlesRate,
    filters: (pixelFormat: string): Filter[] => [
      ...read.filters,
      ...fields.before,
      ...(settlesRate ? [] : sampling.filters),
      ...normalized.filters,
      ...scaling({ video, source, picture: shown, codec, pixelFormat, isInterlaced, path }),
      ...converted.filters,
      ...blankingLines(picture),
      ...fields.after,
      { name: "setsar", options: { sar: toFraction(pixelAspect) } },
      ...colorFilters(video, seen, path),
      ...betweenDefinitions(video, seen, picture, path),
      ...withoutStaleHdr(video, { ...seen, hdr: request.source.hdr }),
      { name: "format", options: { pix_fmts: pixelFormat } },
      ...safeLevels(video, pixelFormat, path),
    ],
  };
};

const keepsSize = ({ ar_auto_crop: crop }: VideoTarget): boolean => crop === "preserving" || crop === "distorted";

/** The target's filters of one stage. Crops use the size that the target would have without them. */
const filtered = (request: PipelineRequest, stage: Stage, picture: VideoFacts) => {
  const { video, timing, timecodeOf, extras, source, path } = request;
  const target = pictureOf(video, source, path);
  const place = { picture, source, target, timing, timecodeOf, extras, path: `${path}.filters` };
  return throughVideo(video.filters, stage, place);
};

/** The wanted rate is the target's, including the fields that a pulldown repeats. */
const beforePulldown = (video: VideoTarget, timesFrames: Rational): VideoTarget => {
  const asked = video.frame_rate === undefined ? undefined : parseFrameRate(video.frame_rate);
  return asked ? { ...video, frame_rate: toFraction(multiply(asked, invert(timesFrames))) } : video;
};

const ratesOf = (rate: Rational | undefined) => (rate ? { frameRate: rate, averageFrameRate: rate } : {});
const ownRates = ({ frameRate, averageFrameRate }: VideoFacts) => ({ frameRate, averageFrameRate });

const colorsOf = ({ pixelFormat, colorRange, colorSpace, colorPrimaries, colorTransfer, hdr }: VideoFacts) => {
  return { pixelFormat, colorRange, colorSpace, colorPrimaries, colorTransfer, hdr };
};

// The lines that tapes have above the picture: black, for they carry no signals here.
const blankingLines = ({ width, height, blanking }: Picture): Filter[] =>
  blanking ? [{ name: "pad", options: { w: width, h: height, x: 0, y: blanking } }] : [];
