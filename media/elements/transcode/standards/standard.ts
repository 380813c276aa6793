import { compare, type Rational, toFraction } from "../../../../shared/basics/rational.ts";
import { definitionError } from "../../../../shared/model/failure.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { AudioTarget } from "../audio/schema.ts";
import type { ContainerTarget } from "../containers/schema.ts";
import type { Target } from "../target-schema.ts";
import type { VideoTarget } from "../video/schema.ts";
import type { Raster } from "./raster.ts";

type Size = { readonly width: number; readonly height: number };

/** A delivery standard: fields of a target, and further options of its encoder. */
export type Standard = {
  readonly container: Partial<ContainerTarget>;
  readonly video: (target: Target) => Partial<VideoTarget>;
  readonly audio: Partial<AudioTarget>;
  readonly encoder?: Options | ((size: Size) => Options);
  /** The codec that the encoder's options are for. */
  readonly codec?: string;
  /** The only codec of its pictures; absent: the one that is usual in it is a choice among others. */
  readonly only?: string;
  /** The most pictures of a group at a rate, for jobs that leave that open. */
  readonly groups?: (rate: Rational) => number;
  /** Its pictures, for jobs that leave theirs open. */
  readonly rasters?: readonly Raster[];
  /** Sizes of its pictures, and their rates; absent: any. */
  readonly pictures?: Readonly<Record<`${number}x${number}`, readonly Rational[]>>;
};

/** Options of its encoder for pictures of this size. */
export const encoderOf = ({ encoder }: Standard, size: Size): Options | undefined =>
  typeof encoder === "function" ? encoder(size) : encoder;

/** Throws TaskError `definition`, naming the field, for a picture that the standard does not have. */
export const checkPicture = (
  { pictures }: Standard,
  { width, height, rate }: Size & { readonly rate: Rational | undefined },
  path: string,
): void => {
  if (!pictures) return;
  const rates = pictures[`${width}x${height}`];
  if (!rates)
    throw definitionError(
      `${path}.width and height: the standard in compliance has pictures of ${Object.keys(pictures).join(" and ")}, not ${width}x${height}`,
    );
  if (rate && !rates.some((each) => compare(each, rate) === 0))
    throw definitionError(
      `${path}.frame_rate: the standard in compliance has ${rates.map(toFraction).join(", ")} frames a second at this size, not ${toFraction(rate)}`,
    );
};

/** Groups of half a second, as cameras make them. */
export const halfSecond = (rate: Rational): number => (rate.den === 1001 ? 15 : 12);
