import { multiply, parseRational, type Rational, ratio, toNumber } from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { VideoTarget } from "../schema.ts";

export type Size = { readonly width: number; readonly height: number };

/** The picture's size, the shape of its pixels, and the size of the timeline in it. */
export type Picture = Size & {
  readonly pixelAspect: Rational;
  /** Equal to the picture: stretched. Smaller: bars are added. Larger: it is cropped. */
  readonly inner: Size;
  /** Lines above the picture that belong to the signal only; they are part of its height. */
  readonly blanking?: number;
};

/**
 * The source's shape gives what is absent. For a size without a shape of pixels, this takes the source's
 * or square pixels, whichever distorts less; distortion beyond `ar_max_distortion` becomes bars, or a crop.
 */
export const planPicture = (video: VideoTarget, source: VideoFacts, path: string): Picture => {
  const own = sourceShape(video, source, path);
  const dar = aspect(video.dar, `${path}.dar`);
  const par = aspect(video.par, `${path}.par`) ?? aspect(video.mov_atoms?.pasp, `${path}.mov_atoms.pasp`);
  const size = sizeOf(video, source, {
    display: dar ?? own.display,
    pixel: par ?? own.pixel,
    isGiven: par !== undefined,
  });
  const implied = dar && multiply(dar, ratio(size.height, size.width));
  const pixelAspect = par ?? implied ?? lessDistorting(size, own);
  const picture = { ...size, pixelAspect, inner: innerOf(video, size, pixelAspect, own.display, path) };
  return video.add_vbi_if_needed && isTapeHeight(size) ? withBlanking(picture) : picture;
};

/**
 * The picture after a crop, where `ar_auto_crop` is set: it is as large as if nothing had been cut off. What is left keeps
 * its shape between bars, or fills the whole and is distorted.
 */
export const planCroppedPicture = (video: VideoTarget, whole: VideoFacts, left: Size, path: string): Picture => {
  const picture = planPicture(video, whole, path);
  const size = { width: picture.width, height: picture.height - (picture.blanking ?? 0) };
  if (video.ar_auto_crop === "distorted") return { ...picture, inner: size };
  const display = multiply(ratio(left.width, left.height), sourceShape(video, whole, path).pixel);
  return { ...picture, inner: innerOf(video, size, picture.pixelAspect, display, path) };
};

const isTapeHeight = ({ height }: Size) => height === 480 || height === 576;

const withBlanking = (picture: Picture): Picture => ({ ...picture, height: picture.height + 32, blanking: 32 });

/** The algorithm that a job asks for when the picture gets larger, or smaller. */
export const scalerAlgorithm = ({ scaler }: VideoTarget, source: Size, to: Size): string | undefined => {
  const isLarger = to.width * to.height > source.width * source.height;
  return (isLarger ? scaler?.upscale_algorithm : scaler?.downscale_algorithm) ?? scaler?.algorithm;
};

type Shape = { readonly pixel: Rational; readonly display: Rational };

const sourceShape = (video: VideoTarget, source: VideoFacts, path: string): Shape => {
  const storage = ratio(source.width, source.height);
  const dar = aspect(video.force_source_dar, `${path}.force_source_dar`);
  if (dar) return { display: dar, pixel: multiply(dar, ratio(source.height, source.width)) };
  const pixel = aspect(video.force_source_par, `${path}.force_source_par`) ?? source.pixelAspect ?? ratio(1);
  return { pixel, display: multiply(storage, pixel) };
};

const aspect = (text: string | undefined, path: string): Rational | undefined => {
  if (text === undefined) return undefined;
  const value = parseRational(text);
  if (!value || value.num <= 0) throw definitionError(`${path} "${text}" is not an aspect ratio`);
  return value;
};

const sizeOf = (
  { width, height, width_modulus, height_modulus }: VideoTarget,
  source: Size,
  { display, pixel, isGiven }: Shape & { readonly isGiven: boolean },
): Size => {
  const storage = toNumber(display) / toNumber(pixel);
  const across = (from: number) => toMultiple(from * storage, width_modulus);
  const down = (from: number) => toMultiple(from / storage, height_modulus);
  if (width !== undefined) return { width: Math.round(width), height: height ? Math.round(height) : down(width) };
  if (height !== undefined) return { width: across(height), height: Math.round(height) };
  const kept = toMultiple(source.height, height_modulus);
  return { width: isGiven ? across(kept) : toMultiple(source.width, width_modulus), height: kept };
};

const toMultiple = (value: number, modulus: number) => Math.max(modulus, Math.round(value / modulus) * modulus);

const lessDistorting = (size: Size, source: Shape): Rational =>
  distortion(size, source.pixel, source.display) <= distortion(size, ratio(1), source.display)
    ? source.pixel
    : ratio(1);

const distortion = ({ width, height }: Size, pixel: Rational, display: Rational): number => {
  const shown = (width / height) * toNumber(pixel);
  return Math.abs(shown / toNumber(display) - 1);
};

const innerOf = (video: VideoTarget, size: Size, pixel: Rational, display: Rational, path: string): Size => {
  if (distortion(size, pixel, display) <= video.ar_max_distortion) return size;
  if (video.ar_pad_crop_ratio !== 0 && video.ar_pad_crop_ratio !== 1) {
    throw capabilityError(`${path}.ar_pad_crop_ratio may be 0 or 1, nothing between is implemented`);
  }
  const storage = toNumber(display) / toNumber(pixel);
  const isWider = storage > size.width / size.height;
  const keepsWidth = isWider === (video.ar_pad_crop_ratio === 1);
  return keepsWidth
    ? { width: size.width, height: toMultiple(size.width / storage, 2) }
    : { width: toMultiple(size.height * storage, 2), height: size.height };
};
