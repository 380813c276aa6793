import { z } from "zod";
import { looseBoolean } from "../../../../../shared/basics/loose-values.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { numberOrExpression } from "../../../../expressions/field.ts";
import { chromaOf } from "../../../../formats/pixel-format.ts";
import { defineVideoFilter, type VideoPlace } from "../../filters/filter.ts";
import { scanOf } from "../picture/fields.ts";

/** Pixels, `N%` of the side, or `auto`: what an analysis of black borders found. */
const edge = numberOrExpression({ min: 0, words: /^(auto|\d+(\.\d+)?\s*%)$/ }).optional();

const edges = ["left", "right", "top", "bottom"] as const;
type Edge = (typeof edges)[number];

const payload = z.looseObject({
  ...{ left: edge, right: edge, top: edge, bottom: edge },
  use_source_dimensions: looseBoolean().default(false),
});
type Payload = z.output<typeof payload>;

/** Cuts off edges, on whole chroma samples. Pixels are those of the target, unless the job says otherwise. */
export const crop = defineVideoFilter({
  kind: "crop",
  payload,
  stage: "normalized",
  apply: (wanted, place) => {
    const [left, right, top, bottom] = edges.map((name) => pixelsOf(wanted, name, place));
    const { picture, path } = place;
    const width = picture.width - (left ?? 0) - (right ?? 0);
    const height = picture.height - (top ?? 0) - (bottom ?? 0);
    if (width < 8 || height < 8) {
      throw definitionError(`${path} leaves ${width}x${height} of ${picture.width}x${picture.height} pixels`);
    }
    const filters = [{ name: "crop", options: { w: width, h: height, x: left, y: top, exact: 1 } }];
    return { filters, changed: { width, height, edits: undefined } };
  },
});

const pixelsOf = (wanted: Payload, name: Edge, { picture, target, path, extras }: VideoPlace): number => {
  const value = wanted[name] ?? 0;
  const side = name === "left" || name === "right" ? ("width" as const) : ("height" as const);
  const step = stepOf(picture, side);
  const whole = (pixels: number) => Math.round(pixels / step) * step;
  if (value === "auto") return whole(foundBorder(name, extras, path));
  if (typeof value === "string" && value.endsWith("%")) return whole((Number.parseFloat(value) / 100) * picture[side]);
  if (typeof value !== "number") throw definitionError(`${path}.${name} "${value}" is not a number of pixels`);
  const scale = wanted.use_source_dimensions || !target ? 1 : picture[side] / target[side];
  return whole(value * scale);
};

/** The analysed borders, in the source's pixels. */
const foundBorder = (name: Edge, { analyzed }: VideoPlace["extras"], path: string): number => {
  const found = analyzed.video?.black_borders?.[name];
  if (found !== undefined) return found;
  throw definitionError(`${path}.${name} auto needs an analyze element with black_borders before this one`);
};

/** A cut cannot divide chroma that several pixels share, nor the lines of two fields. */
const stepOf = (picture: VideoFacts, side: "width" | "height"): number => {
  const chroma = chromaOf(picture.pixelFormat);
  const isShared =
    side === "width" ? chroma !== undefined && chroma !== "CS_444" && chroma !== "CS_440" : chroma === "CS_420";
  const fields = side === "height" && scanOf(picture) !== "progressive" ? 2 : 1;
  return (isShared ? 2 : 1) * fields;
};
