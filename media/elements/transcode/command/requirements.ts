import { filterNames } from "../../../ffmpeg/filtergraph.ts";
import type { Recipe, StreamRecipe, TargetRecipe } from "../recipe.ts";
import { openGraphOf } from "./graph.ts";
import { groupsOf } from "./tee.ts";

/** What a node must have to make all of the recipe: `encoder:libx264`, `muxer:mov`, `fdkaac`. */
export const requirementsOf = ({ timelines, captions = [], measures = [] }: Recipe): string[] => {
  const targets = timelines.flatMap((timeline) => timeline.targets).filter(({ text }) => text === undefined);
  const streams = targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio]);
  const isShared = timelines.some((each) => groupsOf(each.targets).some((group) => group.length > 1));
  const isListened = measures.some(({ encoded }) => encoded && !encoded.fdkaac);
  const muxers = [
    ...targets.map(({ muxer }) => `muxer:${muxer}`),
    ...(isShared ? ["muxer:tee"] : []),
    ...(isListened ? ["muxer:matroska"] : []),
  ];
  const graphs = [
    ...timelines.map(({ source, targets: made }) => openGraphOf(source, made)),
    ...measures.map(({ source, track, filters, encoded }) =>
      openGraphOf(source, [{ audio: [{ track, filters: [...(encoded?.filters ?? []), ...filters] }] }]),
    ),
  ];
  const filters = graphs.flatMap(({ chains }) => filterNames(chains)).map((name) => `filter:${name}`);
  const movies = timelines.some((each) => each.targets.some(takesCaptions)) ? ["filter:movie"] : [];
  const carriers = captions.length > 0 ? ["encoder:libx264", "muxer:h264"] : [];
  const ttml = targets.some(({ planned = [] }) => planned.some(({ making }) => making.form === "ttml_track"));
  const drawn = targets.some(({ planned = [] }) => planned.some(({ making }) => making.dvb));
  const packager = targets.some(({ encryption }) => encryption?.by.do === "packager") ? ["packager"] : [];
  const tools = ["ffmpeg", "ffprobe", ...packager, ...(ttml ? ["demuxer:stpp"] : []), ...(drawn ? drawers : [])];
  return [...new Set([...tools, ...carriers, ...streams.flatMap(encodersOf), ...muxers, ...filters, ...movies])];
};

const drawers = ["filter:subtitles", "encoder:png", "muxer:image2"];

/** ffmpeg gives the captions of a picture to a filter that opens the file. */
const takesCaptions = ({ text, planned = [] }: TargetRecipe): boolean =>
  [...(text ? [text] : []), ...planned.map(({ making }) => making)].some(({ from }) => from && "demuxer" in from);

const encodersOf = ({ filters, fdkaac, options }: StreamRecipe): string[] => {
  if (fdkaac) return ["fdkaac", "encoder:pcm_s16le", "muxer:wav"];
  return filters ? [`encoder:${options.c}`] : [];
};
