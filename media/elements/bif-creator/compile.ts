import { toNumber } from "../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../shared/model/asset.ts";
import { capabilityError } from "../../../shared/model/failure.ts";
import type { Step, Work } from "../../../shared/work/work.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { type Chain, filterNames, printGraph } from "../../ffmpeg/filtergraph.ts";
import { forViewers, jpegColors, whyNearest } from "../../ffmpeg/rescale.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { inputArgs, sourceAssets } from "../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { buildGraph, videoLabel } from "../transcode/command/graph.ts";
import type { BifRecipe } from "./recipe.ts";

/** Players show stills small; the format's players call this width HD. */
const width = 320;

export const compileBif = ({ indexes, multiplier }: BifRecipe): Work => {
  const assets: Work["assets"] = sourceAssets(indexes.flatMap(({ source }) => source ?? []));
  const steps = indexes.flatMap(({ source, pictures = [] }, at): Step[] => {
    const to = `bif_${at}`;
    if (source) {
      const scratch = `still_${at}_%06d`;
      return [
        stillsOf(source, assets, scratch, multiplier, at),
        { do: "bif", id: to, to, from: { scratch }, multiplier },
      ];
    }
    const ids = pictures.map((uri, number) => {
      const id = `picture_${at}_${number}`;
      assets[id] = { uri };
      return id;
    });
    return [{ do: "bif", id: to, to, from: { assets: ids }, multiplier }];
  });
  return { assets, outputs: Object.fromEntries(indexes.map(({ output }, at) => [`bif_${at}`, output])), steps };
};

export const requirementsOf = ({ indexes, multiplier }: BifRecipe): string[] => {
  const films = indexes.flatMap(({ source }) => source ?? []);
  const filters = films.flatMap((source) => filterNames(graph(source, multiplier)));
  return films.length === 0 ? [] : ["ffmpeg", "encoder:mjpeg", ...new Set(filters.map((name) => `filter:${name}`))];
};

/** Pictures that are delivered have their own colours, or none are made. */
const refuseUnknown = (video: VideoFacts): VideoFacts => {
  const why = whyNearest(video, jpegColors);
  if (why === undefined) return video;
  throw capabilityError(`bif_creator: stills of a source in ${video.colorSpace} cannot be made: ${why}`);
};

/** The first frame at or after each multiple of the interval. */
const graph = (source: VirtualSource, multiplier: number): Chain[] => {
  const video = mainVideo(source.facts);
  const track = video?.index ?? 0;
  const size = { w: width, h: -2, flags: "bicubic" };
  const filters = [
    { name: "select", options: { expr: `gte(t+0.0005,selected_n*${multiplier / 1000})` } },
    ...(video ? forViewers(refuseUnknown(video), jpegColors, size) : []),
    { name: "format", options: { pix_fmts: "yuvj420p" } },
  ];
  return buildGraph(source, [{ video: { track, filters }, audio: [] }]);
};

const stillsOf = (
  source: VirtualSource,
  assets: Work["assets"],
  scratch: string,
  multiplier: number,
  at: number,
): Step => {
  const track = mainVideo(source.facts)?.index ?? 0;
  const { duration } = source.timing;
  return {
    do: "ffmpeg",
    id: `stills_${at}`,
    argv: [
      ...ffmpegHead,
      ...inputArgs(source, [track], assets),
      ...["-filter_complex", printGraph(graph(source, multiplier)), "-map", `[${videoLabel(0)}]`],
      ..."-fps_mode passthrough -c:v mjpeg -q:v 5 -f image2 -start_number 0".split(" "),
      `${scratch}.jpg`,
    ],
    duration: duration && toNumber(duration),
  };
};
