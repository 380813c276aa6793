import { multiply, parseFrameRate, type Rational, ratio } from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";

type Options = NonNullable<Filter["options"]>;
type Changes = Partial<Pick<VideoFacts, "width" | "height" | "frameRate" | "averageFrameRate">>;

/** Larger pictures are a mistake, and would take all of a node's memory. */
const largest = 16_384 * 8_192;

/** What a chain of filters in ffmpeg's own syntax makes of a picture: its size and its rate. Throws TaskError. */
export const pictureAfter = (picture: VideoFacts, chain: readonly Filter[], path: string): Changes => {
  let changed: Changes = {};
  for (const { name, options = {} } of chain) {
    changed = { ...changed, ...effects[name]?.({ ...picture, ...changed }, options) };
    const { width = 1, height = 1 } = changed;
    if (width < 1 || height < 1 || width * height > largest)
      throw definitionError(`${path}: ${name} makes a picture of ${width}x${height}`);
  }
  return changed;
};

const effects: Readonly<Record<string, (picture: VideoFacts, options: Options) => Changes>> = {
  scale: (picture, { w, h }) => scaled(picture, w, h),
  crop: (picture, { out_w, out_h }) => ({
    width: sideOf(out_w, picture) ?? picture.width,
    height: sideOf(out_h, picture) ?? picture.height,
  }),
  pad: (picture, { width, height }) => ({
    width: sideOf(width, picture) || picture.width,
    height: sideOf(height, picture) || picture.height,
  }),
  transpose: ({ width, height }) => ({ width: height, height: width }),
  tile: (picture, options) => tiled(picture, options),
  fps: (_picture, { fps }) => atRate(parseFrameRate(String(fps ?? 25))),
  minterpolate: (_picture, { fps }) => atRate(parseFrameRate(String(fps ?? 60))),
  framestep: (picture, { step }) => oneOf(picture, Number(step ?? 1)),
  thumbnail: (picture, { n }) => oneOf(picture, Number(n ?? 100)),
};

/** Of two sides, a negative one follows the other, in the picture's shape and as a multiple of its own number. */
const scaled = (picture: VideoFacts, w: Options[string], h: Options[string]): Changes => {
  const [wide, high] = [sideOf(w, picture) || picture.width, sideOf(h, picture) || picture.height];
  if (wide < 0 && high < 0) return {};
  const follow = (side: number, own: number, other: number, given: number) =>
    side > 0 ? side : Math.round((given * own) / other / -side) * -side;
  return {
    width: follow(wide, picture.width, picture.height, high),
    height: follow(high, picture.height, picture.width, wide),
  };
};

const sideOf = (value: Options[string], { width, height }: VideoFacts): number | undefined => {
  if (value === undefined) return undefined;
  const [, base = "", operator, factor = "1"] = /^(-?\d+|[a-z_]+)(?:([*/])([\d.]+))?$/.exec(String(value)) ?? [];
  const whole = /^(iw|in_w)$/.test(base) ? width : /^(ih|in_h)$/.test(base) ? height : Number(base);
  return Math.trunc(operator === "/" ? whole / Number(factor) : whole * Number(factor));
};

/** A sheet of pictures: so many across and down, with space between them and around them. */
const tiled = (picture: VideoFacts, { layout = "6x5", padding = 0, margin = 0, nb_frames = 0 }: Options): Changes => {
  const [across = 1, down = 1] = String(layout).split("x").map(Number);
  const side = (count: number, one: number) => count * one + (count - 1) * Number(padding) + 2 * Number(margin);
  const size = { width: side(across, picture.width), height: side(down, picture.height) };
  return { ...size, ...oneOf(picture, Number(nb_frames) || across * down) };
};

const oneOf = ({ frameRate, averageFrameRate }: VideoFacts, count: number): Changes => {
  const own = frameRate ?? averageFrameRate;
  return own && count > 0 ? atRate(multiply(own, ratio(1, count))) : {};
};

const atRate = (rate: Rational | undefined): Changes => (rate ? { frameRate: rate, averageFrameRate: rate } : {});
