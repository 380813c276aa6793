import { z } from "zod";
import { defined } from "../../../../../shared/basics/defined.ts";
import { looseNumber } from "../../../../../shared/basics/loose-values.ts";
import { location } from "../../../../../shared/files/location.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { definitionError } from "../../../../../shared/model/failure.ts";
import { type Colors, changedTo, conversion, sourceColors, stated } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { bitDepthOf, chromaOf, colorSpaceOf } from "../../../../formats/pixel-format.ts";
import { defineVideoFilter } from "../../filters/filter.ts";
import { wantedColors } from "../picture/color.ts";
import { convertibleTransfers, matrices, primaries, ranges } from "../values.ts";
import { lookedUp } from "./lut.ts";

const colors = z.looseObject({
  ire_range_mode: z.enum(ranges).optional(),
  color_primaries: z.enum(primaries).optional(),
  color_trc: z.enum(convertibleTransfers).optional(),
  color_matrix: z.enum(matrices).optional(),
});

const sdr: Colors = { range: "tv", primaries: "bt709", transfer: "bt709", matrix: "bt709" };
const wide = { range: "tv", primaries: "bt2020", matrix: "bt2020nc" };
const hlg: Colors = { ...wide, transfer: "arib-std-b67" };
const pq: Colors = { ...wide, transfer: "smpte2084" };

type Preset = { readonly from: Colors; readonly to: Colors; readonly white?: number; readonly desaturation?: number };

/** The higher this brightness, the fewer colours fade. */
const [mild, medium] = [4, 2];

const presets = {
  hdr_hlg_to_sdr: { from: hlg, to: sdr },
  hdr_hlg_to_sdr_desat_mild: { from: hlg, to: sdr, desaturation: mild },
  hdr_hlg_to_sdr_desat_medium: { from: hlg, to: sdr, desaturation: medium },
  hdr_pq_to_sdr: { from: pq, to: sdr },
  hdr_pq_to_sdr_desat_mild: { from: pq, to: sdr, desaturation: mild },
  hdr_pq_to_sdr_desat_medium: { from: pq, to: sdr, desaturation: medium },
  sdr_to_hdr_pq_200nit: { from: sdr, to: pq, white: 200 },
  sdr_to_hdr_pq_300nit: { from: sdr, to: pq, white: 300 },
} as const satisfies Record<string, Preset>;
type PresetName = keyof typeof presets;

const payload = z.looseObject({
  from: colors.optional(),
  to: colors.optional(),
  nominal_peak_luminance: looseNumber(1, 10_000).optional(),
  preset: z.enum(Object.keys(presets) as [PresetName, ...PresetName[]]).optional(), // Object.keys forgets the names
  lut_file: location.optional(),
});
type Payload = z.output<typeof payload>;

/** Brings colours from one system into another: by names, by a preset, or by a table of the job's own. */
export const colorConvert = defineVideoFilter({
  kind: "color_convert",
  payload,
  stage: "normalized",
  apply: (wanted, place) => {
    const { picture, path } = place;
    checkFrom(wanted, picture, path);
    const preset: Preset | undefined = wanted.preset && presets[wanted.preset];
    const from = stated(merged(sourceColors(picture), preset?.from, wanted.from && wantedColors(wanted.from)), picture);
    const asked = merged(preset?.to, wanted.to && wantedColors(wanted.to));
    const to = changedTo(from, asked);
    const light = { white: wanted.nominal_peak_luminance ?? preset?.white, desaturation: preset?.desaturation ?? 0 };
    const pixelFormat = formatFor(picture, to);
    const changed = { ...factsOf(to), pixelFormat, hdr: undefined };
    if (wanted.lut_file) return { filters: lookedUp(wanted.lut_file, { from, to, pixelFormat }, place), changed };
    checkAsked(wanted, path);
    const filters: Filter[] = [
      ...conversion(from, asked, path, light),
      { name: "format", options: { pix_fmts: pixelFormat } },
    ];
    return { filters, changed };
  },
});

const checkFrom = ({ from }: Payload, { pixelFormat }: VideoFacts, path: string): void => {
  if (from?.color_matrix !== "rgb" || colorSpaceOf(pixelFormat) === "RGB") return;
  throw definitionError(`${path}.from.color_matrix rgb: the picture is ${pixelFormat}, without red, green and blue`);
};

const checkAsked = ({ to, preset }: Payload, path: string): void => {
  if (to || preset) return;
  throw definitionError(`${path} has neither a preset, nor a lut_file, nor colours to convert to`);
};

/** The last one with a value counts. */
const merged = (...all: readonly (Colors | undefined)[]): Colors =>
  Object.assign({}, ...all.map((each) => defined(each ?? {})));

const factsOf = ({
  range,
  primaries: colorPrimaries,
  transfer: colorTransfer,
  matrix: colorSpace,
}: Colors): Partial<VideoFacts> => ({
  ...{ colorRange: range, colorPrimaries, colorTransfer, colorSpace },
});

/** The picture's own format, with the ten bits that pictures of a high dynamic range need. */
const formatFor = ({ pixelFormat = "yuv420p" }: VideoFacts, { transfer, matrix }: Colors): string => {
  const isHigh = transfer === "smpte2084" || transfer === "arib-std-b67";
  const isRgb = colorSpaceOf(pixelFormat) === "RGB";
  const isDeep = isHigh || (bitDepthOf(pixelFormat) ?? 8) > 8;
  if (matrix === "gbr") return isDeep ? "gbrp10le" : "gbrp";
  if (!isRgb && (!isHigh || (bitDepthOf(pixelFormat) ?? 8) > 8)) return pixelFormat.replace("yuvj", "yuv");
  const chroma = isRgb ? "444" : (chromaOf(pixelFormat)?.slice(3) ?? "420");
  return `yuv${chroma}p${isDeep ? "10le" : ""}`;
};
