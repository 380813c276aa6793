import { toNumber } from "../../../../shared/basics/rational.ts";
import { nameOf } from "../../../../shared/files/location.ts";
import type { Arg } from "../../../../shared/work/arguments.ts";
import type { StepOf, Work } from "../../../../shared/work/work.ts";
import { ffmpegHead, optionArgs } from "../../../ffmpeg/args.ts";
import { decodeWatchArgs } from "../../../ffmpeg/decode-errors.ts";
import { printGraph } from "../../../ffmpeg/filtergraph.ts";
import { openingArgs } from "../../../ffmpeg/opening-args.ts";
import type { SideInput } from "../../../ffmpeg/side-inputs.ts";
import { hasClock } from "../../../formats/stream-timing.ts";
import { assetNamed, inputArgs } from "../../../virtual-source/input-args.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { MadeInput, TargetRecipe } from "../recipe.ts";
import { audioLabel, openGraphOf, type Streams, videoLabel } from "./graph.ts";
import { type CommandInputs, metadataArgs, pidArgs, streamArgs } from "./stream-args.ts";
import { groupsOf, headed, teeArgument, withoutRepeats } from "./tee.ts";

/** What one command opens, and its id. */
export type Opening = { readonly source: VirtualSource; readonly assets: Work["assets"]; readonly id: string };
export type Numbered = { readonly target: TargetRecipe; readonly out: string };

/** One ffmpeg that makes all of these targets in one pass. */
export const buildCommand = (opening: Opening, made: readonly Numbered[]): StepOf<"ffmpeg"> => {
  const targets = made.map(({ target }) => target);
  return commandOf(opening, withoutRepeats(targets), (inputs) =>
    groupsOf(targets).flatMap((group) => {
      const [only, second] = group;
      const first = only === undefined ? undefined : made[only];
      if (only === undefined || first === undefined) return [];
      if (second !== undefined) return teeArgs(inputs, made, group);
      return outputArgs(inputs, first.target, only, { out: first.out });
    }),
  );
};

/** Files that share their sound: all their pictures, then the sound, each encoded once. */
const teeArgs = (inputs: CommandInputs, made: readonly Numbered[], group: readonly number[]): Arg[] => {
  const shared = group.flatMap((index) => made[index] ?? []);
  const [{ target } = { target: undefined }] = shared;
  const [first = 0] = group;
  return [
    ...shared.flatMap((each, at) =>
      streamArgs(inputs, headed(each.target.video), videoLabel(group[at] ?? 0), `v:${at}`),
    ),
    ...(target?.audio ?? []).flatMap((recipe, track) =>
      streamArgs(inputs, headed(recipe), audioLabel(first, track), `a:${track}`),
    ),
    "-map_metadata",
    "-1",
    "-map_chapters",
    "-1",
    ...metadataArgs(target?.metadata ?? {}, ""),
    "-f",
    "tee",
    teeArgument(shared),
  ];
};

export const outputArgs = (inputs: CommandInputs, target: TargetRecipe, index: number, to: Arg): Arg[] => [
  ...streamArgs(inputs, target.video, videoLabel(index), "v"),
  ...target.audio.flatMap((recipe, track) => streamArgs(inputs, recipe, audioLabel(index, track), `a:${track}`)),
  ...(target.texts ?? []).flatMap((recipe, track) => streamArgs(inputs, recipe, "", `s:${track}`)),
  // The source's tags are dropped unless asked for: some name people, places and programs.
  "-map_metadata",
  "-1",
  "-map_chapters",
  "-1",
  ...metadataArgs(target.metadata, ""),
  ...optionArgs(target.options),
  ...(target.segments && typeof to === "object" && "out" in to
    ? ["-hls_segment_filename", { ...to, file: target.segments }]
    : []),
  ...(target.manifest?.layout === "segments" && typeof to === "object" && "out" in to
    ? ["-segment_list_type", "csv", "-segment_list", { scratch: `${to.out}_list` }]
    : []),
  ...pidArgs(target),
  "-f",
  target.muxer,
  to,
];

type Used = Streams & Pick<Partial<TargetRecipe>, "texts" | "muxer" | "isStrictlyMuxed">;

/** An ffmpeg step that reads what these streams need; `outputs` says what it writes. */
export const commandOf = (
  { source, assets, id }: Opening,
  targets: readonly Used[],
  outputs: (inputs: CommandInputs) => readonly Arg[],
): StepOf<"ffmpeg"> => {
  const { chains, inputs } = openGraphOf(source, targets);
  const files = filesOf(targets);
  const first = source.inputs.length + inputs.length;
  const numberOf = ({ scratch }: MadeInput) => first + files.findIndex((file) => file.scratch === scratch);
  const { duration, begin } = source.timing;
  const damage = damageOf(source);
  const strict = targets.flatMap(({ muxer, isStrictlyMuxed }) => (muxer && isStrictlyMuxed ? muxer : []));
  return {
    do: "ffmpeg",
    id,
    argv: [
      ...ffmpegHead,
      ...decodeWatchArgs(damage ?? {}),
      ...inputArgs(source, tracksOf(targets), assets),
      ...inputs.flatMap((input) => besideArgs(input, assets)),
      ...files.flatMap(fileArgs),
      ...(chains.length > 0 ? ["-filter_complex", printGraph(chains)] : []),
      ...outputs({ source, numberOf }),
    ],
    ...{ duration: duration && toNumber(duration), begin: begin && toNumber(begin), damage },
    ...(strict.length > 0 && { strictMuxers: [...new Set(strict)] }),
  };
};

const besideArgs = ({ uri, args, isScratch }: SideInput, assets: Work["assets"]): Arg[] => [
  ...(isScratch ? ["-protocol_whitelist", "file"] : openingArgs({ name: nameOf(uri) })),
  ...args,
  "-i",
  isScratch ? { scratch: uri } : { asset: assetNamed(uri, assets) },
];

/** Files that earlier steps made, each once. */
const filesOf = (targets: readonly Used[]): MadeInput[] => {
  const all = targets.flatMap(({ video, audio, texts = [] }) =>
    [...(video ? [video] : []), ...audio, ...texts].flatMap(({ made }) => made ?? []),
  );
  return [...new Map(all.map((made) => [made.scratch, made])).values()];
};

export const fileArgs = ({ scratch, format }: MadeInput): Arg[] => [
  ...["-protocol_whitelist", "file", ...(format === "concat" ? listArgs : []), "-f", format],
  ...["-i", { scratch }],
];

/** The list has checked paths of this attempt; its files are what section tasks write, and open no others. */
const listArgs = ["-format_whitelist", "concat,mov", "-safe", "0", "-auto_convert", "0"];

/** The step's fields for damage that is accepted. */
export const damageOf = ({ reading, inputs, tracks }: VirtualSource): StepOf<"ffmpeg">["damage"] => {
  const { maxDecodeErrors: most, maxSequentialDecodeErrors: inARow } = reading ?? {};
  const isBegun = inputs.some((input) => input.seek !== undefined && hasClock(input) && !reading?.noSeek);
  if (most === undefined && inARow === undefined && !isBegun) return undefined;
  return { most, inARow, ...(isBegun && { begun: tracks.length }) };
};

const tracksOf = (targets: readonly Streams[]): number[] =>
  targets
    .flatMap(({ video, audio }) => [...(video ? [video] : []), ...audio])
    .filter(({ made }) => made === undefined)
    .map(({ track }) => track);
