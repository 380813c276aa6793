import { toNumber } from "../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../shared/model/asset.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { Arg } from "../../../shared/work/arguments.ts";
import type { Step, StepOf, Work } from "../../../shared/work/work.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { decodeWatchArgs } from "../../ffmpeg/decode-errors.ts";
import { type Chain, type Filter, filterNames, printGraph } from "../../ffmpeg/filtergraph.ts";
import { forViewers, jpegColors } from "../../ffmpeg/rescale.ts";
import { inputArgs, sourceAssets } from "../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { reportOutputs, reportSteps } from "../report/recipe.ts";
import { damageOf } from "../transcode/command/command.ts";
import { audioLabel, buildGraph, type Streams, videoLabel } from "../transcode/command/graph.ts";
import { notesTo } from "./branches.ts";
import { compareChains, conformed } from "./compare.ts";
import { histogramArgs, histogramResult } from "./histograms.ts";
import type { AnalyzeRecipe } from "./recipe.ts";

/** One ffmpeg decodes once and measures everything; what the container says is known already. */
export const compileAnalyze = (recipe: AnalyzeRecipe): Work => {
  const { source, general, atoms, documents, reports, notes } = recipe;
  const measuring = source && measuringStep(recipe, source);
  const steps: Step[] = [
    ...(general
      ? [{ do: "known" as const, id: "general", result: { kind: "analysis", value: { general_properties: general } } }]
      : []),
    ...(atoms ? [{ do: "atoms" as const, id: "atoms", asset: "atoms", style: atoms.style }] : []),
    ...(measuring ? [measuring] : []),
    ...documents.map(({ results }, at) => ({
      ...{ do: "document" as const, id: `document_${at}`, to: `document_${at}`, results: [...results] },
    })),
  ];
  const found = steps.flatMap((step) => (step.do === "ffmpeg" ? Object.keys(step.results ?? {}) : [step.id]));
  steps.push(...reportSteps(reports, found, recipe.stills && { name: stillName, stepSec: recipe.stills.stepSec }));
  if (steps.length === 0) throw definitionError("an analyze element asks for nothing");
  const outputs = {
    ...Object.fromEntries(documents.map(({ output }, at) => [`document_${at}`, output])),
    ...reportOutputs(reports),
  };
  const assets = { ...(measuring && sourceAssets([source])), ...(atoms && { atoms: { uri: atoms.uri } }) };
  return { assets, outputs, steps, ...(notes.length > 0 && { notes: [...notes] }) };
};

/** What a node must have for it. */
export const requirementsOf = (recipe: AnalyzeRecipe): string[] => {
  if (!recipe.source) return [];
  const filters = filterNames(graphOfAnalysis(recipe, recipe.source).chains);
  const isRead = filters.length > 0 || recipe.packets !== undefined;
  return isRead ? ["ffmpeg", ...filters.map((name) => `filter:${name}`)] : [];
};

const measuringStep = (recipe: AnalyzeRecipe, source: VirtualSource): StepOf<"ffmpeg"> | undefined => {
  const { packets } = recipe;
  const { chains, ends, stills, drawn, tracks, results } = graphOfAnalysis(recipe, source);
  if (ends.length === 0 && !packets) return undefined;
  const damage = damageOf(source);
  const { duration } = source.timing;
  return {
    do: "ffmpeg",
    id: "measure",
    argv: [
      ...ffmpegHead,
      ...decodeWatchArgs(damage ?? {}),
      ...inputArgs(source, tracks, sourceAssets([source])),
      ...(chains.length > 0 ? ["-filter_complex", printGraph(chains)] : []),
      ...(ends.length > 0 ? [...ends.flatMap((end) => ["-map", `[${end}]`]), ...["-f", "null", "-"]] : []),
      ...(packets ? packetArgs(packets.stream) : []),
      ...(stills === undefined ? [] : stillArgs(stills)),
      ...(drawn === undefined ? [] : histogramArgs(drawn)),
    ],
    ...{ duration: duration && toNumber(duration), damage },
    results: {
      ...results,
      ...(packets && {
        video_packets: {
          parser: "packets",
          options: { windowSeconds: packets.windowSeconds },
          from: { scratch: "video_packets" },
        },
      }),
    },
  };
};

/** All packets as one stream, and once more the key frames alone as another: no filter tells them apart. */
const packetArgs = (stream: string): Arg[] => [
  ...["-map", stream, "-map", stream, "-c", "copy", "-bsf:v:1", "noise=drop=not(key)"],
  ...["-f", "framecrc", { scratch: "video_packets" }],
];

const stillName = "still";

const stillArgs = (label: string): Arg[] => [
  ...["-map", `[${label}]`, "-fps_mode", "passthrough", "-c:v", "mjpeg", "-q:v", "5"],
  ...["-f", "image2", "-start_number", "0", `${stillName}_%d.jpg`],
];

/** The frame in the middle of each stretch, small. */
const stillFilters = (stepSec: number, video: VideoFacts | undefined): Streams["audio"][number]["filters"] => [
  { name: "select", options: { expr: `gte(t,(selected_n+0.5)*${stepSec})` } },
  ...(video ? forViewers(video, jpegColors, { w: 320, h: -2, flags: "bicubic" }) : []),
  { name: "format", options: { pix_fmts: "yuvj420p" } },
];

// ffmpeg's own `apsnr` counts in natural logarithms, from the largest number that there is.
const turnedRound: Filter[] = [{ name: "volume", options: { volume: -1, precision: "double" } }];

/** The level of the difference so far, once a second. */
const differenceLevel: Filter[] = [
  { name: "amix", options: { inputs: 2, normalize: 0, duration: "shortest" } },
  { name: "asetnsamples", options: { n: 48_000, p: 0 } },
  { name: "astats", options: { metadata: 1, measure_perchannel: "RMS_level", measure_overall: "none" } },
];

type Measuring = {
  readonly chains: readonly Chain[];
  readonly ends: readonly string[];
  /** The labels of pictures for reports, and of drawn histograms. */
  readonly stills: string | undefined;
  readonly drawn: string | undefined;
  /** Tracks that are decoded. */
  readonly tracks: readonly number[];
  readonly results: NonNullable<StepOf<"ffmpeg">["results"]>;
};

const graphOfAnalysis = (recipe: AnalyzeRecipe, source: VirtualSource): Measuring => {
  const { branches, compared, comparedSound: sound, packets } = recipe;
  const streams: Streams[] = [];
  const add = (media: "video" | "audio", track: number, filters: Streams["audio"][number]["filters"]): string => {
    const at = streams.length;
    const stream = { track, filters };
    streams.push(media === "video" ? { video: stream, audio: [] } : { audio: [stream] });
    return media === "video" ? videoLabel(at) : audioLabel(at, 0);
  };
  const ends = branches.map(({ media, track, filters }) => add(media, track, filters));
  const shown = source.facts.video.find(({ index }) => index === recipe.stills?.track);
  const stills = recipe.stills && add("video", recipe.stills.track, stillFilters(recipe.stills.stepSec, shown));
  const { histograms } = recipe;
  const drawn = histograms && add("video", histograms.track, histograms.filters);
  const more: Chain[] = [];
  const results = Object.fromEntries(
    branches.map(({ id, options }) => [id, { parser: "analysis", options, from: { scratch: id } }]),
  ) as Measuring["results"]; // its options are JSON by their own schema
  if (histograms) Object.assign(results, histogramResult(histograms));
  if (compared) {
    const filters = conformed(compared);
    const from = {
      judged: add("video", compared.judged.index, filters.judged),
      reference: add("video", compared.reference.index, filters.reference),
    };
    const rate = compared.judged.frameRate ?? compared.judged.averageFrameRate;
    const comparison = compareChains(compared.asked, from, rate ? toNumber(rate) : 25);
    more.push(...comparison.chains);
    ends.push(...comparison.ends);
    Object.assign(results, comparison.results);
  }
  if (sound) {
    const conform = [{ name: "aformat", options: { sample_fmts: "dblp", sample_rates: "48000" } }];
    const mixed = sound.layout === undefined ? [] : [{ name: "aformat", options: { channel_layouts: sound.layout } }];
    const from = [
      add("audio", sound.judged, conform),
      add("audio", sound.reference, [...mixed, ...conform, ...turnedRound]),
    ];
    const id = `audio_${sound.at}_psnr`;
    more.push({ from, filters: [...differenceLevel, notesTo("audio", id)], to: ["compared_sound"] });
    ends.push("compared_sound");
    results[id] = { parser: "audio_psnr", options: sound.at, from: { scratch: id } };
  }
  const decoded = streams.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio]);
  const counted = packets ? source.facts.video.slice(0, 1).map(({ index }) => index) : [];
  return {
    chains: [...buildGraph(source, streams), ...more],
    ends,
    stills,
    drawn,
    tracks: [...decoded.map(({ track }) => track), ...counted],
    results,
  };
};
