import { folderUri, type Location, nameOf } from "../../../../../shared/files/location.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { type Colors, conversion } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { isForeign } from "../../../../ffmpeg/scaler-matrix.ts";
import { bitDepthOf } from "../../../../formats/pixel-format.ts";
import type { VideoPlace } from "../../filters/filter.ts";

type Request = { readonly from: Required<Colors>; readonly to: Required<Colors>; readonly pixelFormat: string };

const interpolations = ["nearest", "trilinear", "tetrahedral", "pyramid", "prism"];

/** Replaces every colour by a table of three dimensions, red, green and blue. The result gets the wanted tags. */
export const lookedUp = (
  file: Location,
  { from, to, pixelFormat }: Request,
  { extras, path }: VideoPlace,
): Filter[] => {
  const uri = folderUri(file, undefined, `${path}.lut_file`);
  const extension = /\.(cube|3dl|dat|m3d|csp)$/i.exec(nameOf(uri))?.[0]?.toLowerCase();
  if (!extension)
    throw definitionError(`${path}.lut_file is not a table: its name must end in .cube, .3dl, .dat, .m3d or .csp`);
  const table = extras.stage({ uri }, extension);
  const between = (bitDepthOf(pixelFormat) ?? 8) > 8 ? "gbrp16le" : "gbrp";
  const rgb = { range: "pc", matrix: "gbr" };
  return [
    ...(isForeign(from.matrix)
      ? conversion(from, rgb, path)
      : [zscale({ rin: from.range, min: from.matrix, m: "gbr", r: "pc" })]),
    { name: "format", options: { pix_fmts: between } },
    { name: "lut3d", options: { file: table, interp: interpolationOf(file, path) } },
    // The table has already changed the colours: only the matrix remains to be applied.
    { name: "setparams", options: { color_primaries: to.primaries, color_trc: to.transfer } },
    ...(isForeign(to.matrix)
      ? conversion({ ...to, ...rgb }, to, path)
      : [zscale({ rin: "pc", min: "gbr", m: to.matrix, r: to.range, dither: "error_diffusion" })]),
    { name: "format", options: { pix_fmts: pixelFormat } },
  ];
};

const zscale = (options: Readonly<Record<string, string | undefined>>): Filter => ({ name: "zscale", options });

const interpolationOf = ({ interpolation }: Location, path: string): string | undefined => {
  if (interpolation === undefined) return undefined;
  if (typeof interpolation === "string" && interpolations.includes(interpolation)) return interpolation;
  throw definitionError(`${path}.lut_file.interpolation is not one of ${interpolations.join(", ")}`);
};
