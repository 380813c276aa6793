import { nameOf } from "../../../../shared/files/location.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Recipe, TargetRecipe } from "../recipe.ts";
import { carrierOf, countsOn } from "./carriers.ts";

/**
 * Filters that treat each picture by itself or by its time. Others count pictures, or pair them, and would begin anew
 * with each section.
 */
const timeless = new Set([
  ...["null", "scale", "zscale", "format", "setsar", "setparams", "setfield", "sidedata", "crop", "pad", "trim", "fps"],
  ...["tonemap", "lut", "lut3d", "lutrgb", "colorspace", "limiter", "gblur", "fade", "bwdif", "yadif", "fieldorder"],
  ...["subtitles", "ass"],
]);

/** Why no picture of this source can be made in sections; undefined if it can. */
export const obstacleOfSource = (
  { inputs, facts, reading, timing }: VirtualSource,
  { captions = [] }: Recipe,
): string | undefined => {
  const [input, second] = inputs;
  if (!input || second || input.pieces) return "its source is joined from several files";
  if (input.images) return "its source is a sequence of images";
  if (/^https?:/i.test(input.uri)) return `${nameOf(input.uri)} would be fetched once for each section`;
  if (reading?.noSeek || reading?.args) return "the options of its source keep nodes from seeking in it";
  if (reading?.maxDecodeErrors || reading?.maxSequentialDecodeErrors) return "damage is counted over the whole source";
  if (input.clock && input.clock.jumps > 0) return "its clock jumps, so nodes cannot seek in it";
  if (!timing.duration) return "its source does not tell how long it is";
  if (captions.length > 0) return "captions are put into all pictures in one go";
  const start = mainVideo(facts)?.start;
  return start && start.num !== 0 ? "its picture begins later than its sound" : undefined;
};

/** The same for one target of it. */
export const obstacleOfTarget = (target: TargetRecipe, source: VirtualSource): string | undefined => {
  const { video, rate } = target;
  if (!video?.filters) return "it has no film to encode";
  if (!rate || video.options.enc_time_base !== undefined) return "the rate of its frames varies";
  if (!carrierOf(video)) return `${video.options.c} does not encode it in sections`;
  if (countsOn(video)) return "its stream has a running timecode";
  const { filters = [], before = [] } = source.tracks.find(({ index }) => index === video.track) ?? {};
  if (before.length > 0) return "its picture is put together from several";
  const counting = [...filters, ...video.filters].find(
    // Without a start, a rate counts from the first picture that it sees.
    ({ name, options }) => !timeless.has(name) || (name === "fps" && options?.start_time === undefined),
  );
  return counting && `the filter ${counting.name} counts pictures`;
};
