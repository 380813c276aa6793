import { z } from "zod";
import { location } from "../../../../../shared/files/location.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { conversion, sourceColors, stated } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { isForeign } from "../../../../ffmpeg/scaler-matrix.ts";
import { allowedChain } from "../../filters/allowed.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { stagedFiles } from "../../filters/support-files.ts";
import { allowedVideoFilters } from "./allowed.ts";
import { pictureAfter } from "./picture-after.ts";

/** Filters of the list that work on red, green and blue. */
const ofRgb = new Set([
  ...["colorbalance", "colorchannelmixer", "colorlevels", "colortemperature", "curves", "edgedetect", "exposure"],
  ...["lut3d", "lutrgb", "rgbashift", "vibrance"],
]);

const isOfRgb = ({ name, options }: Filter): boolean =>
  ofRgb.has(name) || (name === "format" && /rgb|bgr/.test(String(options?.pix_fmts)));

/** These get a picture in a matrix that ffmpeg makes red, green and blue of, and its own matrix comes behind them. */
const inKnownMatrix = (filters: readonly Filter[], picture: VideoFacts, path: string): readonly Filter[] => {
  if (!isForeign(picture.colorSpace) || !filters.some(isOfRgb)) return filters;
  const own = stated(sourceColors(picture), picture);
  const known = { ...own, matrix: own.primaries === "bt2020" ? "bt2020nc" : "bt709" };
  const format = { name: "format", options: { pix_fmts: picture.pixelFormat } };
  return [...conversion(own, known, path), format, ...filters, format, ...conversion(known, own, path), format];
};

/** A chain of ffmpeg filters in ffmpeg's own syntax. Each filter must be on a list, and each option is checked. */
export const extenc = defineVideoFilter({
  kind: "extenc",
  payload: z.looseObject({
    support_files: z.array(location).max(100).optional(),
    extenc_filter: z.string().max(4000).optional(),
  }),
  stage: "converted",
  apply: ({ support_files = [], extenc_filter: text = "" }, { extras, picture, path }) => {
    const files = stagedFiles(support_files, extras, `${path}.support_files`);
    const rules = { allowed: allowedVideoFilters, files, path: `${path}.extenc_filter` };
    const filters = allowedChain(text, rules);
    return { filters: inKnownMatrix(filters, picture, path), changed: pictureAfter(picture, filters, rules.path) };
  },
});
