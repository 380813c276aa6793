import type { ReadingRules } from "../../asset.ts";
import { ffmpegHead, optionArgs } from "../../ffmpeg/args.ts";
import type { BesideInput } from "../../ffmpeg/besides.ts";
import { decodeWatchArgs } from "../../ffmpeg/decode-errors.ts";
import { printGraph } from "../../ffmpeg/filtergraph.ts";
import { openingArgs } from "../../ffmpeg/opening.ts";
import { nameOf } from "../../location.ts";
import { toNumber } from "../../rational.ts";
import { assetNamed, inputArgs, sourceAssets } from "../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import type { Arg } from "../../words.ts";
import type { Output, StepOf, Work } from "../../work.ts";
import { drawnStep, extraAssets, sourcesOf, stageStep } from "./extra-files.ts";
import { audioLabel, openGraphOf, type Streams, streamOf, videoLabel } from "./graph.ts";
import { passOptions } from "./passes.ts";
import type { Measure, Recipe, StreamRecipe, TargetRecipe } from "./recipe.ts";
import { groupsOf, headed, teeWord, withoutRepeats } from "./tee.ts";

/**
 * All targets that are cut alike and take one pass are made by one ffmpeg; two passes are two commands. Before them come
 * the files that filters read, and what must be measured first.
 */
export const compileTranscode = (recipe: Recipe): Work => {
  const { timelines, staged = [], subtitles = [], measures = [] } = recipe;
  const assets = { ...sourceAssets(sourcesOf(recipe)), ...extraAssets(recipe) };
  const all = timelines.flatMap(({ targets }) => targets);
  const numbered = all.map((target, index) => ({ target, out: `t${index}` }));
  const steps = timelines.flatMap(({ source, targets }, index) => {
    const made = numbered.filter(({ target }) => targets.includes(target));
    return stepsOf({ source, assets, id: index === 0 ? "transcode" : `transcode_${index}` }, made);
  });
  return {
    assets,
    outputs: Object.fromEntries(numbered.map(({ target, out }) => [out, outputOf(target)])),
    steps: [
      ...staged.map((each) => stageStep(each, assets)),
      ...subtitles.map(drawnStep),
      ...measures.map((each) => measuring(each, assets)),
      ...steps,
    ],
  };
};

type Opening = { readonly source: VirtualSource; readonly assets: Work["assets"]; readonly id: string };
type Numbered = { readonly target: TargetRecipe; readonly out: string };

const stepsOf = (opening: Opening, made: readonly Numbered[]): StepOf<"ffmpeg">[] => {
  const plain = made.filter(({ target }) => target.passes === 1);
  const twice = made.filter(({ target }) => target.passes === 2);
  const together = plain.length > 0 ? [commandFor(opening, plain)] : [];
  return [...together, ...twice.flatMap((each) => twoPasses(opening, each))];
};

const outputOf = ({
  uid,
  folder,
  name,
  isSequence,
  isPackage,
  existing,
  temp,
  object,
  expect,
  layer,
}: TargetRecipe): Output => ({
  version: uid,
  folder,
  name,
  isSequence,
  ...(isPackage && { isPackage }),
  existing,
  ...(temp && { temp }),
  ...(object && { object }),
  ...(expect && { expect }),
  ...(layer && { layer }),
});

const commandFor = (opening: Opening, made: readonly Numbered[]): StepOf<"ffmpeg"> => {
  const targets = made.map(({ target }) => target);
  const outputs = groupsOf(targets).flatMap((group) => {
    const [only, second] = group;
    const first = only === undefined ? undefined : made[only];
    if (only === undefined || first === undefined) return [];
    if (second !== undefined) return teeArgs(opening, made, group);
    return outputArgs(opening, first.target, only, { out: first.out });
  });
  return step(opening, withoutRepeats(targets), outputs);
};

/** Files that share their sound: all their pictures, then the sound, each encoded once. */
const teeArgs = ({ source }: Opening, made: readonly Numbered[], group: readonly number[]): Arg[] => {
  const shared = group.flatMap((index) => made[index] ?? []);
  const [{ target } = { target: undefined }] = shared;
  const [first = 0] = group;
  return [
    ...shared.flatMap((each, at) =>
      streamArgs(source, headed(each.target.video), videoLabel(group[at] ?? 0), `v:${at}`),
    ),
    ...(target?.audio ?? []).flatMap((recipe, track) =>
      streamArgs(source, headed(recipe), audioLabel(first, track), `a:${track}`),
    ),
    "-map_metadata",
    "-1",
    "-map_chapters",
    "-1",
    ...metadataArgs(target?.metadata ?? {}, ""),
    "-f",
    "tee",
    teeWord(shared),
  ];
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

/** Decodes one track to its end; what listens to it there tells a result. */
const measuring = ({ id, source, track, filters, parser, says }: Measure, assets: Work["assets"]): StepOf<"ffmpeg"> => {
  const streams = { audio: [{ track, filters }] };
  const from = says === "log" ? ("stderr" as const) : { scratch: id };
  const outputs = ["-map", `[${audioLabel(0, 0)}]`, "-f", "null", "-"];
  return { ...step({ source, assets, id }, [streams], outputs), results: { [id]: { parser, from } } };
};

const step = (
  { source, assets, id }: Opening,
  targets: readonly Streams[],
  outputs: readonly Arg[],
): StepOf<"ffmpeg"> => {
  const { chains, inputs } = openGraphOf(source, targets);
  const { duration } = source.timing;
  const damage = damageOf(source.reading);
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...decodeWatchArgs(damage ?? {}),
      ...inputArgs(source, tracksOf(targets), assets),
      ...inputs.flatMap((input) => besideArgs(input, assets)),
      ...(chains.length > 0 ? ["-filter_complex", printGraph(chains)] : []),
      ...outputs,
    ],
    ...(duration && { duration: toNumber(duration) }),
    ...(damage && { damage }),
  };
};

const besideArgs = ({ uri, args }: BesideInput, assets: Work["assets"]): Arg[] => [
  ...openingArgs({ name: nameOf(uri) }),
  ...args,
  "-i",
  { asset: assetNamed(uri, assets) },
];

/** Damage that is let pass, as a step says it. */
export const damageOf = (reading: ReadingRules | undefined): StepOf<"ffmpeg">["damage"] => {
  const { maxDecodeErrors: most, maxSequentialDecodeErrors: inARow } = reading ?? {};
  if (most === undefined && inARow === undefined) return undefined;
  return { ...(most !== undefined && { most }), ...(inARow !== undefined && { inARow }) };
};

const tracksOf = (targets: readonly Streams[]): number[] =>
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
  ...(target.segments && typeof to === "object" && "out" in to
    ? ["-hls_segment_filename", { ...to, file: target.segments }]
    : []),
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
