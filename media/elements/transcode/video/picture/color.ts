import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { type Colors, conversion, isHighDynamic, sourceColors, stated, usualColors } from "../../../../ffmpeg/color.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { colorSpaceOf } from "../../../../formats/pixel-format.ts";
import type { VideoTarget } from "../schema.ts";
import type { VideoCodec } from "../video.ts";

/** Names in jobs -> names in ffmpeg and ffprobe. */
const primaries: Readonly<Record<string, string>> = { bt601: "smpte170m" };
const transfers: Readonly<Record<string, string>> = {
  ...{ bt601: "smpte170m", st2084: "smpte2084", hlg: "arib-std-b67", arib_stdb67: "arib-std-b67" },
  // The curves of NTSC and PAL sets also have names by their exponents.
  ...{ gamma22: "bt470m", gamma28: "bt470bg", log: "log100", "log sqrt": "log316", "bt1361 ecg": "bt1361e" },
  ...{ "iec61966 2.1": "iec61966-2-1", "iec61966 2.4": "iec61966-2-4" },
  ...{ bt2020_10bit: "bt2020-10", bt2020_12bit: "bt2020-12" },
};
const matrices: Readonly<Record<string, string>> = { bt601: "smpte170m", rgb: "gbr" };
const ranges: Readonly<Record<string, string | undefined>> = { full: "pc", limited: "tv", auto: undefined };

type Fields = Pick<VideoTarget, "ire_range_mode" | "color_primaries" | "color_trc" | "color_matrix">;

export const wantedColors = (video: Fields): Colors => ({
  range: ranges[video.ire_range_mode ?? "auto"],
  primaries: video.color_primaries && (primaries[video.color_primaries] ?? video.color_primaries),
  transfer: video.color_trc && (transfers[video.color_trc] ?? video.color_trc),
  matrix: video.color_matrix && (matrices[video.color_matrix] ?? video.color_matrix),
});

/** Tags where the source has none, a conversion where it has others, nothing where they are the same. */
export const colorFilters = (video: VideoTarget, source: VideoFacts, path: string): Filter[] => {
  const [from, to] = [sourceColors(source), wantedColors(video)];
  const names = ["range", "primaries", "transfer", "matrix"] as const;
  const changed = names.filter((name) => to[name] !== undefined && from[name] !== undefined && to[name] !== from[name]);
  if (changed.length > 0) return conversion(stated(from, source), to, path);
  const added = names.filter((name) => to[name] !== from[name] && to[name] !== undefined);
  if (added.length === 0) return [];
  const options = { range: to.range, color_primaries: to.primaries, color_trc: to.transfer, colorspace: to.matrix };
  return [{ name: "setparams", options }];
};

/** A conversion between standard and high definition, if the job leaves the colours to `smart_chroma_conversions`. */
export const betweenDefinitions = (
  video: VideoTarget,
  source: VideoFacts,
  { height }: { readonly height: number },
  path: string,
): Filter[] => {
  const isSaid = video.color_primaries ?? video.color_trc ?? video.color_matrix;
  if (!video.smart_chroma_conversions || isSaid || colorSpaceOf(source.pixelFormat) === "RGB") return [];
  const from = stated(sourceColors(source), source);
  const isStandard = from.primaries !== "bt2020" && !isHighDynamic(from.transfer);
  return isStandard && height >= 720 !== source.height >= 720 ? conversion(from, usualColors(height), path) : [];
};

type ScalerColors = Readonly<Record<string, string | undefined>>;

/** How the scaler must treat colour: stills become what every viewer expects, films stay as they are. */
export const colorScaling = (codec: VideoCodec, source: VideoFacts): ScalerColors => {
  if (!codec.isStill) return {};
  // High definition without a tag is BT.709 in practice; the scaler would take it for BT.601.
  const untagged = source.colorSpace === undefined && source.height >= 720 && !source.pixelFormat?.includes("rgb");
  return { in_color_matrix: untagged ? "bt709" : undefined, out_color_matrix: "bt601", out_range: "full" };
};
