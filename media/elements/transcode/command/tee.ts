import type { Arg, ArgumentPart } from "../../../../shared/work/arguments.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import type { StreamRecipe, TargetRecipe } from "../recipe.ts";

/**
 * The targets of one command in groups, by their places: targets of a group have the same sound, encoded once and
 * written to all their files. Most groups are single targets.
 */
export const groupsOf = (targets: readonly TargetRecipe[]): number[][] => {
  const keys = targets.map((target, at) =>
    canShare(target) ? JSON.stringify([target.audio, target.metadata]) : String(at),
  );
  return [...Map.groupBy(keys.keys(), (at) => keys[at]).values()];
};

/** What the graph makes for each target: all targets of a group use the first one's sound. */
export const withoutRepeats = (targets: readonly TargetRecipe[]): TargetRecipe[] => {
  const firsts = groupsOf(targets).map(([first]) => first);
  return targets.map((target, index) => (firsts.includes(index) ? target : { ...target, audio: [] }));
};

/** A stream whose headers go to the file, as these containers need: the muxer in between does not ask for it. */
export const headed = <T extends StreamRecipe | undefined>(recipe: T): T =>
  recipe && { ...recipe, options: { ...recipe.options, flags: `${recipe.options.flags ?? ""}+global_header` } };

/** The files of a group as one word: each takes its own picture and all of the sound. */
export const teeArgument = (group: readonly { readonly target: TargetRecipe; readonly out: string }[]): Arg => ({
  parts: group.flatMap(({ target, out }, index): ArgumentPart[] => [
    `${index === 0 ? "" : "|"}[f=${target.muxer}:onfail=abort${slaveOptions(target.options)}:select='v\\:${index},a']`,
    { of: { out }, context: "tee" },
  ]),
});

const slaveOptions = (options: Options): string =>
  Object.entries(options)
    .flatMap(([name, value]) => (value === undefined ? [] : [`:${name}=${String(value)}`]))
    .join("");

// Only where it is certain that the files come out as they would one by one.
const canShare = ({ muxer, video, audio, texts = [], options, passes }: TargetRecipe): boolean =>
  passes === 1 &&
  texts.length === 0 &&
  /^(mp4|mov)$/.test(muxer) &&
  audio.length > 0 &&
  video?.filters !== undefined &&
  audio.every(({ filters, fdkaac }) => filters !== undefined && fdkaac === undefined) &&
  [video, ...audio].every(({ pid }) => pid === undefined) &&
  Object.entries(options).every(([name, value]) => value === undefined || isPlain(name, value));

const isPlain = (name: string, value: Options[string]): boolean =>
  !/^(timecode|output_ts_offset)$/.test(name) && /^[\w+.-]+$/.test(String(value)) && typeof value !== "object";
