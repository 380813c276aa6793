import { parseFrameRate, type Rational, toFraction, toNumber } from "../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../shared/model/asset.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import { constantRate } from "../../../formats/stream-timing.ts";
import type { Timing } from "../../../virtual-source/virtual-source.ts";
import type { Container } from "../containers/container.ts";
import type { Extras } from "../filters/extras.ts";
import { mpegRates } from "../video/encoding/mpeg-rates.ts";
import type { VideoTarget } from "../video/schema.ts";

type Request = {
  readonly picture: VideoFacts;
  readonly timing: Pick<Timing, "isRegular">;
  readonly container: Pick<Container, "muxer">;
  readonly path: string;
  readonly extras: Pick<Extras, "warn">;
};

/** Pictures a second that ffmpeg's muxer of MXF has packages for. */
const mxfRates: readonly string[] = [
  ...["24000/1001", "24", "25", "30000/1001", "30", "48000/1001", "48", "50", "60000/1001", "60"],
  ...["72", "75", "90", "96", "100", "120"],
];

/**
 * The target at a rate that its codec or container holds, where the job names none and the source's pictures are at another
 * one, or at none that is even. Throws TaskError where the job names one that MXF does not have.
 */
export const atEvenRate = (video: VideoTarget, request: Request): VideoTarget => {
  const { picture, timing, container, path, extras } = request;
  const { codec, frame_rate: asked, image_sequence: sequence } = video;
  if (sequence) return video;
  const isMxf = container.muxer === "mxf";
  if (asked !== undefined) {
    if (isMxf) refuseForeign(asked, path);
    return video;
  }
  const constant = timing.isRegular ? constantRate(picture) : undefined;
  const holder = /^mpeg[12]$/.test(codec ?? "") ? codec : container.muxer.startsWith("mxf") && container.muxer;
  if (!holder) return video;
  const rates: readonly string[] = holder === codec ? mpegRates : mxfRates;
  if (constant && rates.includes(toFraction(constant))) return video;
  const own =
    constant ?? [picture.frameRate, picture.averageFrameRate].find((each) => each && toNumber(each) <= mostRate);
  const rate = own && rateFor(own, rates);
  if (!rate) return video;
  const at = constant ? `at ${toFraction(constant)} a second` : "at no even rate";
  extras.warn(`${path}.video: the source's pictures are ${at}, and ${holder} has one: ${rate} a second`);
  return { ...video, frame_rate: rate };
};

const refuseForeign = (asked: NonNullable<VideoTarget["frame_rate"]>, path: string): void => {
  const rate = parseFrameRate(asked);
  if (!rate || mxfRates.includes(toFraction(rate))) return;
  throw definitionError(`${path}.video.frame_rate ${asked}: mxf has ${mxfRates.join(", ")}`);
};

/** Pictures a second; what is above it is the clock of a file. */
const mostRate = 120.1;

/**
 * The lowest rate that shows every picture equally often; else the lowest that leaves none out; else the highest that
 * leaves out equally many between two; else the highest.
 */
const rateFor = (own: Rational, rates: readonly string[]): string | undefined => {
  const times = (rate: string) => toNumber(parseFrameRate(rate) ?? own) / toNumber(own);
  const isWhole = (number: number) => Math.round(number) > 0 && Math.abs(number - Math.round(number)) < 0.0005;
  return (
    rates.find((rate) => isWhole(times(rate))) ??
    rates.find((rate) => times(rate) > 0.9995) ??
    rates.findLast((rate) => isWhole(1 / times(rate))) ??
    rates.at(-1)
  );
};
