import type { ReadingRules } from "../../asset.ts";
import { ffmpegHead, optionArgs } from "../../ffmpeg/args.ts";
import { decodeWatchArgs } from "../../ffmpeg/decode-errors.ts";
import { printGraph } from "../../ffmpeg/filtergraph.ts";
import { toNumber } from "../../rational.ts";
import { inputArgs, sourceAssets } from "../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Arg } from "../../words.ts";
import type { Output, StepOf, Work } from "../../work.ts";
import { audioLabel, graphOf, streamOf, videoLabel } from "./graph.ts";
import { passOptions } from "./passes.ts";
import type { Recipe, StreamRecipe, TargetRecipe } from "./recipe.ts";

/** All targets that are cut alike and take one pass are made by one ffmpeg; two passes are two commands. */
export const compileTranscode = ({ timelines }: Recipe): Work => {
  const assets = sourceAssets(timelines.map(({ source }) => source));
  const all = timelines.flatMap(({ targets }) => targets);
  const numbered = all.map((target, index) => ({ target, out: `t${index}` }));
  const steps = timelines.flatMap(({ source, targets }, index) => {
    const made = numbered.filter(({ target }) => targets.includes(target));
    return stepsOf({ source, assets, id: index === 0 ? "transcode" : `transcode_${index}` }, made);
  });
  return { assets, outputs: Object.fromEntries(numbered.map(({ target, out }) => [out, outputOf(target)])), steps };
};

type Opening = { readonly source: VirtualSource; readonly assets: Work["assets"]; readonly id: string };
type Numbered = { readonly target: TargetRecipe; readonly out: string };

const stepsOf = (opening: Opening, made: readonly Numbered[]): StepOf<"ffmpeg">[] => {
  const plain = made.filter(({ target }) => target.passes === 1);
  const twice = made.filter(({ target }) => target.passes === 2);
  const together = plain.length > 0 ? [commandFor(opening, plain)] : [];
  return [...together, ...twice.flatMap((each) => twoPasses(opening, each))];
};

const outputOf = ({ uid, folder, name, isSequence, existing, temp, expect }: TargetRecipe): Output => ({
  version: uid,
  folder,
  name,
  isSequence,
  existing,
  ...(temp && { temp }),
  ...(expect && { expect }),
});

const commandFor = (opening: Opening, made: readonly Numbered[]): StepOf<"ffmpeg"> => {
  const outputs = made.flatMap(({ target, out }, index) => outputArgs(opening, target, index, { out }));
  const targets = made.map(({ target }) => target);
  return step(opening, targets, outputs);
};

const twoPasses = (opening: Opening, { target, out }: Numbered): StepOf<"ffmpeg">[] => {
  const log = `pass_${out}`;
  const first = { ...target, audio: [], options: {}, metadata: {}, muxer: "null", video: withPass(target, 1, log) };
  const second = { ...target, video: withPass(target, 2, log) };
  return [
    step({ ...opening, id: `${out}_pass1` }, [first], outputArgs(opening, first, 0, "-")),
    step({ ...opening, id: `${out}_pass2` }, [second], outputArgs(opening, second, 0, { out })),
  ];
};

const withPass = ({ video }: TargetRecipe, pass: 1 | 2, log: string): StreamRecipe | undefined =>
  video && { ...video, options: { ...video.options, ...passOptions(video.options, pass, log) } };

const step = (
  { source, assets, id }: Opening,
  targets: readonly TargetRecipe[],
  outputs: readonly Arg[],
): StepOf<"ffmpeg"> => {
  const graph = graphOf(source, targets);
  const { duration } = source.timing;
  const damage = damageOf(source.reading);
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...decodeWatchArgs(damage ?? {}),
      ...inputArgs(source, tracksOf(targets), assets),
      ...(graph.length > 0 ? ["-filter_complex", printGraph(graph)] : []),
      ...outputs,
    ],
    ...(duration && { duration: toNumber(duration) }),
    ...(damage && { damage }),
  };
};

/** Damage that is let pass, as a step says it. */
export const damageOf = (reading: ReadingRules | undefined): StepOf<"ffmpeg">["damage"] => {
  const { maxDecodeErrors: most, maxSequentialDecodeErrors: inARow } = reading ?? {};
  if (most === undefined && inARow === undefined) return undefined;
  return { ...(most !== undefined && { most }), ...(inARow !== undefined && { inARow }) };
};

const tracksOf = (targets: readonly TargetRecipe[]): number[] =>
  targets.flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio].map(({ track }) => track));

const outputArgs = ({ source }: Opening, target: TargetRecipe, index: number, to: Arg): Arg[] => [
  ...streamArgs(source, target.video, videoLabel(index), "v"),
  ...target.audio.flatMap((recipe, track) => streamArgs(source, recipe, audioLabel(index, track), `a:${track}`)),
  // Nothing of the source's tags comes along unasked: some name people, places and programs.
  "-map_metadata",
  "-1",
  "-map_chapters",
  "-1",
  ...metadataArgs(target.metadata, ""),
  ...optionArgs(target.options),
  ...pidArgs(target),
  "-f",
  target.muxer,
  to,
];

const streamArgs = (
  source: VirtualSource,
  recipe: StreamRecipe | undefined,
  label: string,
  specifier: string,
): Arg[] => {
  if (!recipe) return [];
  return [
    "-map",
    recipe.filters ? `[${label}]` : streamOf(source, recipe.track),
    ...optionArgs(recipe.options, `:${specifier}`),
    ...metadataArgs(recipe.metadata, `:s:${specifier}`),
  ];
};

const pidArgs = ({ video, audio }: TargetRecipe): Arg[] =>
  [...(video ? [video] : []), ...audio].flatMap(({ pid }, stream) =>
    pid === undefined ? [] : ["-streamid", `${stream}:${pid}`],
  );

const metadataArgs = (tags: Readonly<Record<string, string>>, suffix: string): Arg[] =>
  Object.entries(tags).flatMap(([name, value]) => [`-metadata${suffix}`, `${name}=${value}`]);
