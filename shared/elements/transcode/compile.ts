import { ffmpegHead, words } from "../../ffmpeg/args.ts";
import { printGraph } from "../../ffmpeg/filtergraph.ts";
import { toNumber } from "../../rational.ts";
import { inputWords, sourceAssets } from "../../virtual-source/input-words.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Arg, Output, StepOf, Work } from "../../work.ts";
import { audioLabel, graphOf, streamOf, videoLabel } from "./graph.ts";
import type { Recipe, StreamRecipe, TargetRecipe } from "./recipe.ts";

/** All targets of one pass are made by one ffmpeg; each of two passes has two commands of its own. */
export const compileTranscode = (recipe: Recipe): Work => {
  const numbered = recipe.targets.map((target, index) => ({ target, out: `t${index}` }));
  const plain = numbered.filter(({ target }) => target.passes === 1);
  const twice = numbered.filter(({ target }) => target.passes === 2);
  const together = plain.length > 0 ? [commandFor(recipe, "transcode", plain)] : [];
  return {
    assets: sourceAssets(recipe.source),
    outputs: Object.fromEntries(numbered.map(({ target, out }) => [out, outputOf(target)])),
    steps: [...together, ...twice.flatMap((each) => twoPasses(recipe, each))],
  };
};

type Numbered = { readonly target: TargetRecipe; readonly out: string };

const outputOf = ({ uid, folder, name, isSequence, existing, expect }: TargetRecipe): Output => ({
  ...{ version: uid, folder, name, isSequence, existing },
  ...(expect && { expect }),
});

const commandFor = (recipe: Recipe, id: string, made: readonly Numbered[]): StepOf<"ffmpeg"> => {
  const outputs = made.flatMap(({ target, out }, index) => outputWords(recipe, target, index, { out }));
  const targets = made.map(({ target }) => target);
  return step(recipe, id, targets, outputs);
};

const twoPasses = (recipe: Recipe, { target, out }: Numbered): StepOf<"ffmpeg">[] => {
  const log = { scratch: `pass_${out}` };
  const first = { ...target, audio: [], options: {}, metadata: {}, muxer: "null", video: withPass(target, 1, log) };
  const second = { ...target, video: withPass(target, 2, log) };
  return [
    step(recipe, `${out}_pass1`, [first], outputWords(recipe, first, 0, "-")),
    step(recipe, `${out}_pass2`, [second], outputWords(recipe, second, 0, { out })),
  ];
};

const withPass = ({ video }: TargetRecipe, pass: number, log: Arg): StreamRecipe | undefined =>
  video && { ...video, options: { ...video.options, pass, passlogfile: log } };

const step = (
  recipe: Recipe,
  id: string,
  targets: readonly TargetRecipe[],
  outputs: readonly Arg[],
): StepOf<"ffmpeg"> => {
  const graph = graphOf(recipe.source, targets);
  const { duration } = recipe.source.timing;
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...inputWords(recipe.source, tracksOf(targets)),
      ...(graph.length > 0 ? ["-filter_complex", printGraph(graph)] : []),
      ...outputs,
    ],
    ...(duration && { duration: toNumber(duration) }),
  };
};

const tracksOf = (targets: readonly TargetRecipe[]): number[] =>
  targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio].map(({ track }) => track));

const outputWords = ({ source }: Recipe, target: TargetRecipe, index: number, to: Arg): Arg[] => [
  ...streamWords(source, target.video, videoLabel(index), "v"),
  ...target.audio.flatMap((recipe, track) => streamWords(source, recipe, audioLabel(index, track), `a:${track}`)),
  // Nothing of the source's tags comes along unasked: some name people, places and programs.
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
  ...metadataWords(target.metadata, ""),
  ...words(target.options),
  ...["-f", target.muxer, to],
];

const streamWords = (
  source: VirtualSource,
  recipe: StreamRecipe | undefined,
  label: string,
  specifier: string,
): Arg[] => {
  if (!recipe) return [];
  return [
    ...["-map", recipe.filters ? `[${label}]` : streamOf(source, recipe.track)],
    ...words(recipe.options, `:${specifier}`),
    ...metadataWords(recipe.metadata, `:s:${specifier}`),
  ];
};

const metadataWords = (tags: Readonly<Record<string, string>>, suffix: string): Arg[] =>
  Object.entries(tags).flatMap(([name, value]) => [`-metadata${suffix}`, `${name}=${value}`]);
