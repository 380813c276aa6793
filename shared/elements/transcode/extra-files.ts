import { ffmpegHead } from "../../ffmpeg/args.ts";
import { toSeconds } from "../../rational.ts";
import { assetNamed, sourceAssets } from "../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Step, StepOf, Work } from "../../work.ts";
import { openGraphOf } from "./graph.ts";
import type { DrawnSubtitles, Recipe, Staged } from "./recipe.ts";
import { textUris } from "./subtitles/steps.ts";

/** Every timeline that some command of the recipe reads. */
export const sourcesOf = ({ timelines, measures = [] }: Recipe): VirtualSource[] =>
  [...timelines, ...measures].map(({ source }) => source);

/** Files that filters show or read beside the source, each once, by the ids that commands name them by. */
export const extraAssets = (recipe: Recipe): Work["assets"] => {
  const own = Object.values(sourceAssets(sourcesOf(recipe))).map(({ uri }) => uri);
  const shown = recipe.timelines.flatMap(({ source, targets }) => openGraphOf(source, targets).inputs);
  const read = (recipe.staged ?? []).flatMap(({ from }) => ("uri" in from ? [from] : []));
  const texts = textUris(recipe.timelines.flatMap(({ targets }) => targets));
  const uris = [...new Set([...[...shown, ...read].map(({ uri }) => uri), ...texts])].filter(
    (uri) => !own.includes(uri),
  );
  return Object.fromEntries(uris.map((uri, index) => [`extra_${index}`, { uri }]));
};

export const stageStep = ({ as, from }: Staged, assets: Work["assets"]): StepOf<"stage"> => ({
  do: "stage",
  id: `stage_${as}`,
  as,
  from: "uri" in from ? { asset: assetNamed(from.uri, assets) } : from,
});

/** Writes subtitles as ASS. What is ASS already keeps its styles; ffmpeg reads it by that one demuxer and opens nothing else. */
export const drawnStep = ({ id, staged, isStyled, later }: DrawnSubtitles): Step => {
  const seconds = toSeconds(Math.abs(later));
  const stretch = { from: Math.round(-later * 1000) };
  if (!isStyled) return { do: "subtitles", id, from: { staged }, stretch, form: "ass", to: { scratch: id } };
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...["-protocol_whitelist", "file", "-f", "ass"],
      ...(later > 0 ? ["-itsoffset", seconds] : later < 0 ? ["-ss", seconds] : []),
      ...["-i", { staged }, "-map", "0:s:0", "-c:s", "ass", "-f", "ass", { scratch: id }],
    ],
  };
};
