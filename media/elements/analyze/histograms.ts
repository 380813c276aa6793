import { toNumber } from "../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../shared/model/asset.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { measuredFormat } from "../../analyses/measured-format.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import { bins, cells, type HistogramOptions } from "../../results/histograms.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { type Asked, enabledAt } from "./branches.ts";

/** How often each code value occurs, measured beside the other analyses. */
export type Histograms = {
  readonly track: number;
  readonly filters: readonly Filter[];
  readonly options: HistogramOptions;
};

/** Undefined where none are asked for. */
export const histogramsOf = (
  asked: Asked,
  video: VideoFacts,
  { timing }: Pick<VirtualSource, "timing">,
): Histograms | undefined => {
  const levels = enabledAt(asked, "levels");
  if (levels?.histograms !== true) return undefined;
  const { filters: made, bitDepth } = measuredFormat(video);
  const planes = levels.chroma_levels === false ? 1 : 3;
  const rate = video.frameRate ?? video.averageFrameRate;
  const seconds = timing.duration && toNumber(timing.duration);
  const frames = seconds === undefined || !rate ? undefined : seconds * toNumber(rate);
  const step = seconds === undefined ? 1 : frames !== undefined && frames <= mostFrames ? 0 : seconds / mostFrames;
  return {
    track: video.index,
    filters: [...(step > 0 ? [everySo(step)] : []), ...made, ...drawn(bitDepth, planes)],
    options: { bitDepth, planes },
  };
};

/** Longer sources are measured in this many frames, at equal distances. */
const mostFrames = 500;

const everySo = (seconds: number): Filter => ({
  name: "select",
  options: { expr: `gte(t,selected_n*${seconds.toFixed(6)})` },
});

/** The filter knows no more bits. */
const mostBits = 12;

/** Of the drawing, by depth: four times as many columns are drawn in a quarter of the height. */
const heights: Readonly<Record<number, number>> = { 8: 2048, 9: 1024, 10: 512 };

/**
 * ffmpeg counts code values only to draw them: the columns of the drawing, as high as the most frequent value, are
 * averaged to a few cells each. Averages of so few rows are exact in eight bits.
 */
const drawn = (bitDepth: number, planes: number): Filter[] => {
  const width = bins * planes;
  const options = {
    level_height: heights[bitDepth] ?? 256,
    scale_height: 0,
    display_mode: "parade",
    levels_mode: "linear",
  };
  const average = (h: number): Filter => ({ name: "scale", options: { w: width, h, flags: "area+accurate_rnd" } });
  return [
    ...(bitDepth > mostBits ? [{ name: "format", options: { pix_fmts: "yuv444p12le|yuv422p12le|yuv420p12le" } }] : []),
    { name: "histogram", options: { ...options, components: planes === 1 ? 1 : 7, fgopacity: 1, bgopacity: 1 } },
    { name: "extractplanes", options: { planes: "y" } },
    { name: "format", options: { pix_fmts: "gray" } },
    average(128),
    average(cells),
  ];
};

export const histogramScratch = "video_histograms";

/** The drawings as bytes, a line of them for each frame. */
export const histogramArgs = (label: string): StepOf<"ffmpeg">["argv"] => [
  ...["-map", `[${label}]`, "-fps_mode", "passthrough", "-c:v", "rawvideo", "-f", "rawvideo"],
  { scratch: histogramScratch },
];

export const histogramResult = ({ options }: Histograms): NonNullable<StepOf<"ffmpeg">["results"]> => ({
  [histogramScratch]: {
    parser: "histograms",
    options,
    from: { scratch: histogramScratch, lineBytes: bins * options.planes * cells },
  },
});
