import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { scalerFlag } from "../../../../ffmpeg/scaler-algorithm.ts";
import { chromaOf } from "../../../../formats/pixel-format.ts";
import type { VideoTarget } from "../schema.ts";
import { type Picture, type Size, scalerAlgorithm } from "./picture.ts";

type Wish = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly picture: Picture;
  readonly pixelFormat: string;
  /** Each picture has the lines of two fields. */
  readonly isInterlaced: boolean;
  readonly path: string;
};

/** Brings the picture to its size, then cuts off or adds bars for its shape. */
export const scaling = (wish: Wish): Filter[] => {
  const { width, height, inner } = wish.picture;
  const fitted = isNeeded(wish) ? [wish.video.scaler?.kind === "zscale" ? precise(wish) : plain(wish)] : [];
  if (inner.width > width || inner.height > height)
    return [...fitted, { name: "crop", options: { w: width, h: height } }];
  if (inner.width === width && inner.height === height) return fitted;
  const place = { x: evenHalf(width - inner.width), y: evenHalf(height - inner.height) };
  return [...fitted, { name: "pad", options: { w: width, h: height, ...place } }];
};

const isNeeded = ({ video, source, picture: { inner }, pixelFormat, isInterlaced, path }: Wish): boolean => {
  const { scaler } = video;
  configured(video, path);
  const isSame = inner.width === source.width && inner.height === source.height;
  if (!isSame || scaler?.dither || scaler?.apply_always) return true;
  // Chroma between two lines would come from both fields at once.
  return isInterlaced && isHalved(source.pixelFormat) !== isHalved(pixelFormat);
};

const isHalved = (format: string | undefined) => chromaOf(format) === "CS_420";

const plain = ({ video, source, picture: { inner }, isInterlaced, path }: Wish): Filter => {
  const dither = video.scaler?.dither;
  return {
    name: "scale",
    options: {
      ...{ w: inner.width, h: inner.height, flags: scalerFlag(scalerAlgorithm(video, source, inner)) },
      ...{ sws_dither: dither === "none" ? 0 : dither, interl: isInterlaced ? 1 : undefined },
      ...configured(video, path),
    },
  };
};

/** Algorithm in jobs -> filter of the more exact scaler. */
const kernels: Readonly<Record<string, string>> = {
  ...{ bilinear: "bilinear", bicubic: "bicubic", nearest_neighbor: "point", lanczos: "lanczos" },
  ...{ spline16: "spline16", spline36: "spline36" },
};

const precise = ({ video, source, picture: { inner }, path }: Wish): Filter => {
  const filter = kernelOf(video, source, inner, path);
  const dither = { none: "none", bayer: "ordered", ed: "error_diffusion", a_dither: "ordered", x_dither: "ordered" };
  const { scaler } = video;
  return {
    name: "zscale",
    options: {
      w: inner.width,
      h: inner.height,
      filter,
      dither: scaler?.dither && dither[scaler.dither],
      ...configured(video, path),
    },
  };
};

const kernelOf = (video: VideoTarget, source: Size, to: Size, path: string): string => {
  const name = scalerAlgorithm(video, source, to) ?? "bicubic";
  const found = kernels[name];
  if (!found) throw capabilityError(`${path}.scaler.algorithm "${name}" is not implemented for zscale`);
  return found;
};

const word = /^[a-z0-9_+-]{1,80}$/;
const number = /^-?\d{1,6}(\.\d{1,6})?$/;

/** Options of ffmpeg's scalers that a job may set itself; size, colours and fields are fields of their own. */
const settings = {
  default: { flags: word, param0: number, param1: number, sws_dither: word, sws_flags: word },
  zscale: { filter: word, f: word, dither: word, d: word, param_a: number, param_b: number },
} as const;

/** `config_string`: options in ffmpeg's syntax, `flags=lanczos+accurate_rnd:param0=5`. */
const configured = ({ scaler }: VideoTarget, path: string): Readonly<Record<string, string>> => {
  const text = scaler?.config_string?.trim() ?? "";
  const known: Readonly<Record<string, RegExp>> = settings[scaler?.kind === "zscale" ? "zscale" : "default"];
  const pairs = text === "" ? [] : text.split(":").map((each) => each.split("="));
  for (const [name = "", value = "", ...rest] of pairs) {
    const isKnown = Object.hasOwn(known, name) && rest.length === 0 && known[name]?.test(value);
    if (isKnown) continue;
    const what = `${path}.scaler.config_string cannot have "${[name, value, ...rest].join("=")}"`;
    throw definitionError(`${what}: options are ${Object.keys(known).join(", ")}`);
  }
  return Object.fromEntries(pairs.map(([name = "", value = ""]) => [fullNames[name] ?? name, value]));
};

const fullNames: Readonly<Record<string, string>> = { sws_flags: "flags", f: "filter", d: "dither" };

const evenHalf = (space: number) => Math.floor(space / 4) * 2;
