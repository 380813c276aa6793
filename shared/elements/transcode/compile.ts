import { ffmpegHead, safeInput, words } from "../../ffmpeg/args.ts";
import { printGraph } from "../../ffmpeg/filtergraph.ts";
import { nameOf } from "../../location.ts";
import { toNumber } from "../../rational.ts";
import type { Arg, Output, StepOf, Work } from "../../work.ts";
import { audioLabel, graphOf, videoLabel } from "./graph.ts";
import type { Recipe, StreamRecipe, TargetRecipe } from "./recipe.ts";
import { inputWords } from "./span.ts";

/** All targets of one pass are made by one ffmpeg; each of two passes has two commands of its own. */
export const compileTranscode = (recipe: Recipe): Work => {
  const numbered = recipe.targets.map((target, index) => ({ target, out: `t${index}` }));
  const plain = numbered.filter(({ target }) => target.passes === 1);
  const twice = numbered.filter(({ target }) => target.passes === 2);
  const together = plain.length > 0 ? [commandFor(recipe, "transcode", plain)] : [];
  return {
    assets: { source: { uri: recipe.uri } },
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
  const outputs = made.flatMap(({ target, out }, index) => outputWords(target, index, { out }));
  const targets = made.map(({ target }) => target);
  return step(recipe, id, targets, outputs);
};

const twoPasses = (recipe: Recipe, { target, out }: Numbered): StepOf<"ffmpeg">[] => {
  const log = { scratch: `pass_${out}` };
  const first = { ...target, audio: [], options: {}, metadata: {}, muxer: "null", video: withPass(target, 1, log) };
  const second = { ...target, video: withPass(target, 2, log) };
  return [
    step(recipe, `${out}_pass1`, [first], outputWords(first, 0, "-")),
    step(recipe, `${out}_pass2`, [second], outputWords(second, 0, { out })),
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
  const graph = graphOf(targets);
  const { duration } = recipe.span;
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...safeInput(nameOf(recipe.uri)),
      ...inputWords(recipe.span),
      ...["-i", { asset: "source" }],
      ...(graph.length > 0 ? ["-filter_complex", printGraph(graph)] : []),
      ...outputs,
    ],
    ...(duration && { duration: toNumber(duration) }),
  };
};

const outputWords = (target: TargetRecipe, index: number, to: Arg): Arg[] => [
  ...streamWords(target.video, videoLabel(index), "v"),
  ...target.audio.flatMap((recipe, track) => streamWords(recipe, audioLabel(index, track), `a:${track}`)),
  // Nothing of the source's tags comes along unasked: some name people, places and programs.
  ...["-map_metadata", "-1", "-map_chapters", "-1"],
  ...metadataWords(target.metadata, ""),
  ...words(target.options),
  ...["-f", target.muxer, to],
];

const streamWords = (recipe: StreamRecipe | undefined, label: string, specifier: string): Arg[] => {
  if (!recipe) return [];
  return [
    ...["-map", recipe.filters ? `[${label}]` : `0:${recipe.stream}`],
    ...words(recipe.options, `:${specifier}`),
    ...metadataWords(recipe.metadata, `:s:${specifier}`),
  ];
};

const metadataWords = (tags: Readonly<Record<string, string>>, suffix: string): Arg[] =>
  Object.entries(tags).flatMap(([name, value]) => [`-metadata${suffix}`, `${name}=${value}`]);
