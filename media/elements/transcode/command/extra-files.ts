import { defined } from "../../../../shared/basics/defined.ts";
import { toFraction, toSeconds } from "../../../../shared/basics/rational.ts";
import type { Arg } from "../../../../shared/work/arguments.ts";
import type { Step, StepOf, Work } from "../../../../shared/work/work.ts";
import { ffmpegHead } from "../../../ffmpeg/args.ts";
import { assetNamed, sourceAssets } from "../../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { CaptionCarrier, DrawnSubtitles, Recipe, Staged } from "../recipe.ts";
import { takingOf, textUris } from "../subtitles/steps.ts";
import { openGraphOf } from "./graph.ts";

/** Every timeline that some command of the recipe reads. */
export const sourcesOf = ({ timelines, measures = [] }: Recipe): VirtualSource[] =>
  [...timelines, ...measures].map(({ source }) => source);

/** Files that filters show or read beside the source, each once, by the ids that commands name them by. */
export const extraAssets = (recipe: Recipe): Work["assets"] => {
  const own = Object.values(sourceAssets(sourcesOf(recipe))).map(({ uri }) => uri);
  const shown = recipe.timelines
    .flatMap(({ source, targets }) => openGraphOf(source, targets).inputs)
    .filter(({ isScratch }) => !isScratch);
  const read = (recipe.staged ?? []).flatMap(({ from }) => ("uri" in from ? [from] : []));
  const texts = textUris(recipe.timelines.flatMap(({ targets }) => targets));
  const captions = (recipe.captions ?? []).flatMap(({ tracks }) => tracks.map(({ uri }) => uri));
  const splices = recipe.splices ?? [];
  const uris = [...new Set([...[...shown, ...read, ...splices].map(({ uri }) => uri), ...texts, ...captions])].filter(
    (uri) => !own.includes(uri),
  );
  return Object.fromEntries(uris.map((uri, index) => [`extra_${index}`, { uri }]));
};

/** Small black pictures as long as the target and at its rate, into which the captions are put. */
export const captionSteps = (
  { id, rate, seconds, asServices, tracks }: CaptionCarrier,
  assets: Work["assets"],
): Step[] => [
  {
    do: "ffmpeg",
    id: `${id}_pictures`,
    argv: [
      ...ffmpegHead,
      ...["-f", "lavfi", "-i", `color=black:s=16x16:r=${toFraction(rate)}:d=${Math.ceil(seconds) + 2}`],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "1", "-pix_fmt", "yuv420p"],
      ...["-f", "h264", { scratch: `${id}_pictures` }],
    ],
  },
  {
    ...{ do: "captions", id, from: `${id}_pictures`, to: id, rate, ...(asServices && { asServices }) },
    tracks: tracks.map(({ uri, ...track }) => ({ ...track, asset: assetNamed(uri, assets) })),
  },
];

export const stageStep = ({ as, from }: Staged, assets: Work["assets"]): StepOf<"stage"> => ({
  do: "stage",
  id: `stage_${as}`,
  as,
  from: "uri" in from ? { asset: assetNamed(from.uri, assets) } : from,
});

/** Writes subtitles as ASS. ASS sources keep their styles; ffmpeg reads files of it by that demuxer alone. */
export const drawnSteps = (subtitles: DrawnSubtitles, assets: Work["assets"]): Step[] => {
  const { id, staged, from: place, isStyled, later, lasts, clock, shown } = subtitles;
  const seconds = toSeconds(Math.abs(later));
  const from = Math.round(-later * 1000);
  const to = lasts === undefined ? undefined : from + lasts;
  const stretch = defined({ from, to, clock, shown });
  const taking = place && takingOf(place, assetNamed(place.uri, assets));
  const read: Arg[] = taking?.input ?? [
    ...["-protocol_whitelist", "file", "-f", "ass"],
    ...["-i", { staged: staged ?? "" }, "-map", "0:s:0"],
  ];
  const shift = later > 0 ? ["-itsoffset", seconds] : later < 0 ? ["-ss", seconds] : [];
  const taken = `${id}_track`;
  const written = (form: string, scratch: string, before: readonly Arg[]): Step => {
    return {
      do: "ffmpeg",
      id: scratch,
      argv: [...ffmpegHead, ...before, ...read, "-c:s", form, "-f", form, { scratch }],
    };
  };
  if (isStyled) return [written("ass", id, shift)];
  const drawn = { do: "subtitles" as const, id, stretch, form: "ass" as const, to: { scratch: id } };
  if (!taking) return [{ ...drawn, from: { staged: staged ?? "" } }];
  return [written(taking.form, taken, []), { ...drawn, from: { scratch: taken } }];
};
