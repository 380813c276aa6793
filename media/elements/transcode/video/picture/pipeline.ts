import {
  compare,
  invert,
  multiply,
  parseFrameRate,
  type Rational,
  ratio,
  toFraction,
} from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { showMatrix } from "../../../../ffmpeg/scaler-matrix.ts";
import { bitDepthOf } from "../../../../formats/pixel-format.ts";
import { constantRate } from "../../../../formats/stream-timing.ts";
import type { Timing } from "../../../../virtual-source/virtual-source.ts";
import type { Extras } from "../../filters/extras.ts";
import type { Stage, VideoPlace } from "../../filters/filter.ts";
import { applyVideoFilters } from "../../filters/filtered-track.ts";
import { pulldownOf } from "../filters/index.ts";
import type { VideoTarget } from "../schema.ts";
import type { VideoCodec } from "../video.ts";
import { safeLevels } from "./broadcast-safe.ts";
import { colorFilters, madeColors } from "./color.ts";
import { fieldFilters, scanOf, wantedScan } from "./fields.ts";
import { withoutStaleHdr } from "./hdr10.ts";
import { type Picture, planCroppedPicture, planPicture, type Size } from "./picture.ts";
import { samplingOf } from "./sampling.ts";
import { scaling } from "./scaling.ts";

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
export const buildPipeline = (request: PipelineRequest, codec: VideoCodec) => {
  const { video, path, timing, timecodeOf, extras } = request;
  // Crops use the size that the target would have without them.
  const target = planPicture(video, request.source, path);
  const place = { source: request.source, target, timing, timecodeOf, extras, path: `${path}.filters` };
  const filtered = (stage: Stage, picture: VideoFacts) =>
    applyVideoFilters(video.filters, stage, { ...place, picture });
  const pulldown = pulldownOf(video.filters);
  const timesFrames = pulldown?.timesFrames ?? ratio(1);
  const read = filtered("read", request.source);
  const sampling = samplingOf(beforePulldown(video, timesFrames), read.facts, timing, path, codec.isStill);
  const normalized = filtered("normalized", { ...read.facts, ...ratesOf(sampling.rate) });
  const source = { ...normalized.facts, ...ownRates(read.facts) };
  const { width: wide, height: high } = request.source;
  const picture = keepsSize(video)
    ? planCroppedPicture(video, { ...source, width: wide, height: high }, source, path)
    : planPicture(video, source, path);
  const shown = { ...picture, height: picture.height - (picture.blanking ?? 0) };
  const scan = wantedScan(video, pulldown ? { ...source, fieldOrder: pulldown.fieldOrder } : source, codec, path);
  if (scan === "progressive" && scanOf(source) !== scan && !pulldown && !codec.isStill && !video.interlace_mode)
    extras.warn(`${path}: the source is interlaced and ${codec.name} is not: its fields become pictures`);
  const { width, pixelAspect } = picture;
  const sized = { ...normalized.facts, width, height: shown.height, pixelAspect };
  const converted = filtered("converted", sized);
  const seen = { ...source, ...colorsOf(converted.facts) };
  const fields = fieldFilters({
    ...{ from: scanOf(source), own: constantRate(source) ?? source.averageFrameRate, rate: sampling.rate },
    to: pulldown ? "progressive" : scan,
    isReshaped: shown.height !== source.height || shown.inner.height !== source.height,
    isSmart: video.smart_temporal_conversions === true,
  });
  const { isInterlaced, settlesRate, bits } = fields;
  if (bits !== undefined && (bitDepthOf(source.pixelFormat) ?? 0) > bits)
    extras.warn(
      `${path}.smart_temporal_conversions finds the film's pictures in ${bits} bits, and the target has no more`,
    );
  const codingOf = (pixelFormat: string) => ({ video, source: seen, codec, pixelFormat, height: picture.height, path });
  return {
    ...{ picture: reshaped(picture, sized, converted.facts), scan, sampling, seen, timesFrames },
    rate: rateAfter(sampling.rate && multiply(sampling.rate, timesFrames), sized, converted.facts),
    isVariable: sampling.isVariable && !settlesRate,
    colors: (pixelFormat: string) => madeColors(codingOf(pixelFormat)),
    filters: (pixelFormat: string): Filter[] => [
      ...read.filters,
      ...fields.before,
      ...(settlesRate ? [] : sampling.filters),
      ...normalized.filters,
      ...scaling({ video, source, picture: shown, pixelFormat, isInterlaced, path }),
      ...converted.filters,
      ...blankingLines(picture),
      ...fields.after,
      { name: "setsar", options: { sar: toFraction(pixelAspect) } },
      ...colorFilters(codingOf(pixelFormat)),
      ...withoutStaleHdr(video, { ...seen, hdr: request.source.hdr }),
      { name: "format", options: { pix_fmts: pixelFormat } },
      ...safeLevels(video, pixelFormat, path),
      ...showMatrix(madeColors(codingOf(pixelFormat)).matrix),
    ],
  };
};

/** Filters behind the scaling may make another size of it. */
const reshaped = (picture: Picture, { width, height }: Size, after: Size): Picture =>
  after.width === width && after.height === height ? picture : { ...picture, width: after.width, height: after.height };

/** Such filters may also keep fewer pictures, or more. */
const rateAfter = (rate: Rational | undefined, before: VideoFacts, after: VideoFacts): Rational | undefined => {
  const [own, made] = [before.frameRate ?? before.averageFrameRate, after.frameRate ?? after.averageFrameRate];
  return made && (!own || compare(made, own) !== 0) ? made : rate;
};

const keepsSize = ({ ar_auto_crop: crop }: VideoTarget): boolean => crop === "preserving" || crop === "distorted";

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
