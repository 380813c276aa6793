import type { Arg } from "../../../../shared/work/arguments.ts";
import { optionArgs } from "../../../ffmpeg/args.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { MadeInput, StreamRecipe, TargetRecipe } from "../recipe.ts";
import { streamOf } from "./graph.ts";

/** What a command reads: the source, and files of the attempt by their number among the inputs. */
export type CommandInputs = {
  readonly source: VirtualSource;
  readonly numberOf: (made: MadeInput) => number;
};

type Stream = Omit<StreamRecipe, "track"> & Partial<Pick<StreamRecipe, "track">>;

/** Maps one stream of an output and says how it is encoded. The label is its name in the graph. */
export const streamArgs = (
  inputs: CommandInputs,
  recipe: Stream | undefined,
  label: string,
  specifier: string,
): Arg[] => {
  if (!recipe) return [];
  return [
    "-map",
    placeOf(inputs, recipe, label),
    ...optionArgs(recipe.options, `:${specifier}`),
    ...metadataArgs(recipe.metadata, `:s:${specifier}`),
  ];
};

const placeOf = ({ source, numberOf }: CommandInputs, { made, filters, track }: Stream, label: string): string => {
  if (made) return `${numberOf(made)}:0`;
  return filters || track === undefined ? `[${label}]` : streamOf(source, track);
};

export const pidArgs = ({ video, audio, texts = [] }: TargetRecipe): Arg[] =>
  [...(video ? [video] : []), ...audio, ...texts].flatMap(({ pid }, stream) =>
    pid === undefined ? [] : ["-streamid", `${stream}:${pid}`],
  );

export const metadataArgs = (tags: Readonly<Record<string, string>>, suffix: string): Arg[] =>
  Object.entries(tags).flatMap(([name, value]) => [`-metadata${suffix}`, `${name}=${value}`]);
