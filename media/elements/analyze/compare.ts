import { toFraction } from "../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../shared/model/asset.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { comparisons } from "../../analyses/index.ts";
import type { Chain, Filter } from "../../ffmpeg/filtergraph.ts";
import { type Asked, enabledAt, notesTo } from "./branches.ts";

/** Both pictures of a comparison, and how to make them comparable. */
export type Compared = {
  readonly judged: VideoFacts;
  readonly reference: VideoFacts;
  /** Which of the two determines the size; the other is scaled to it. */
  readonly sizeOf: "compare_asset" | "source";
  readonly algorithm: string;
};

type Results = NonNullable<StepOf<"ffmpeg">["results"]>;
type Comparison = { readonly chains: readonly Chain[]; readonly ends: readonly string[]; readonly results: Results };

/** The picture comparisons that a payload enables. */
export const comparedBy = (asked: Asked): string[] =>
  [...Object.keys(comparisons), "vmaf"].filter((name) => enabledAt(asked, name));

/** Filters that convert the two pictures to the same size, rate and format. */
export const conformed = ({
  judged,
  reference,
  sizeOf,
  algorithm,
}: Compared): { judged: Filter[]; reference: Filter[] } => {
  const size = sizeOf === "source" ? judged : reference;
  const rate = judged.frameRate ?? judged.averageFrameRate;
  const scaled = (own: VideoFacts): Filter[] =>
    own.width === size.width && own.height === size.height
      ? []
      : [{ name: "scale", options: { w: size.width, h: size.height, flags: algorithm } }];
  const format = { name: "format", options: { pix_fmts: reference.pixelFormat ?? "yuv420p" } };
  const ownRate = reference.frameRate ?? reference.averageFrameRate;
  const isOtherRate = rate && ownRate && toFraction(rate) !== toFraction(ownRate);
  // Frames are compared at the rate of the judged picture, because viewers will see that rate.
  const timed: Filter[] = isOtherRate ? [{ name: "fps", options: { fps: toFraction(rate) } }] : [];
  return { judged: [...scaled(judged), format], reference: [...timed, ...scaled(reference), format] };
};

/** One comparison after the other, each on a copy of both pictures, which have these labels. */
export const compareChains = (asked: Asked, from: { judged: string; reference: string }, rate: number): Comparison => {
  const names = comparedBy(asked);
  const copies = (label: string): Chain => ({
    from: [label],
    filters: [{ name: "split", options: { outputs: names.length } }],
    to: names.map((name) => `${label}_${name}`),
  });
  const chains = names.map((name) => ({
    from: [`${from.judged}_${name}`, `${from.reference}_${name}`],
    filters: filtersOf(name),
    to: [`compared_${name}`],
  }));
  return {
    chains: names.length > 0 ? [copies(from.judged), copies(from.reference), ...chains] : [],
    ends: names.map((name) => `compared_${name}`),
    results: Object.fromEntries(names.map((name) => [`video_${name}`, resultOf(name, rate)])),
  };
};

/** The shorter picture ends the comparison; time stamps with different time bases are never exactly equal. */
const together = { shortest: 1, repeatlast: 0, ts_sync_mode: "nearest" } as const;

const filtersOf = (name: string): Filter[] => {
  if (name === "vmaf")
    return [
      { name: "libvmaf", options: { log_fmt: "csv", log_path: { scratch: "video_vmaf" }, n_threads: 2, ...together } },
    ];
  const filter: Filter = comparisons[name]?.filter ?? { name };
  return [{ ...filter, options: { ...filter.options, ...together } }, notesTo("video", `video_${name}`)];
};

const resultOf = (name: string, rate: number): Results[string] => {
  const from = { scratch: `video_${name}` };
  if (name === "vmaf") return { parser: "vmaf", options: rate, from };
  const info = { width: 0, height: 0, rate, channels: 0, bitDepth: 8, isFullRange: false, transfer: "" };
  return { parser: "analysis", options: { at: "video", version: 2, info, analyses: [{ name, settings: {} }] }, from };
};
