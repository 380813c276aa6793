import type { Arg } from "../../../../shared/work/arguments.ts";
import type { Step } from "../../../../shared/work/work.ts";
import type { FdkaacRecipe, MadeInput, StreamRecipe, TargetRecipe } from "../recipe.ts";
import { commandOf, type Numbered, type Opening } from "./command.ts";
import { audioLabel } from "./graph.ts";

/** A sound for fdkaac, and the beginning of the names of its files. */
type Sound = StreamRecipe & { readonly fdkaac: FdkaacRecipe; readonly name: string };

/**
 * Sound that fdkaac encodes: one ffmpeg decodes all of it into WAV files, fdkaac encodes each once, and the targets then
 * copy the result.
 */
export const encodedSounds = (opening: Opening, made: readonly Numbered[]): { steps: Step[]; made: Numbered[] } => {
  const sounds = soundsOf(
    made.map(({ target }) => target),
    opening.id,
  );
  if (sounds.length === 0) return { steps: [], made: [...made] };
  const encoded = (recipe: StreamRecipe): StreamRecipe => {
    const sound = sounds.find((each) => keyOf(each) === keyOf(recipe));
    if (!sound) return recipe;
    const { filters: _done, fdkaac: _encoded, ...rest } = recipe;
    return { ...rest, made: madeBy(sound) };
  };
  return {
    steps: fdkaacSteps(opening, sounds),
    made: made.map(({ target, out }) => ({ out, target: { ...target, audio: target.audio.map(encoded) } })),
  };
};

/** From the source to files of AAC. */
export const fdkaacSteps = (opening: Opening, sounds: readonly Sound[]): Step[] => [
  decoding(opening, sounds),
  ...sounds.map(encoding),
];

/** The file that fdkaac makes of it. */
export const madeBy = ({ name }: Pick<Sound, "name">): MadeInput => ({ scratch: `${name}_aac`, format: "mov" });

const soundsOf = (targets: readonly TargetRecipe[], id: string): Sound[] => {
  const found = new Map<string, Sound>();
  for (const { fdkaac, ...recipe } of targets.flatMap(({ audio }) => audio)) {
    const key = keyOf({ ...recipe, fdkaac });
    if (fdkaac && !found.has(key)) found.set(key, { ...recipe, fdkaac, name: `${id}_sound_${found.size}` });
  }
  return [...found.values()];
};

const keyOf = ({ track, filters, fdkaac }: StreamRecipe): string => JSON.stringify([track, filters, fdkaac]);

const decoding = (opening: Opening, sounds: readonly Sound[]): Step =>
  commandOf({ ...opening, id: `${opening.id}_sounds` }, [{ audio: sounds }], () =>
    sounds.flatMap(({ name }, track): Arg[] => [
      ...["-map", `[${audioLabel(0, track)}]`, "-c:a", "pcm_s16le"],
      ...["-rf64", "auto", "-f", "wav", { scratch: name }],
    ]),
  );

const encoding = ({ name, fdkaac }: Sound): Step => ({
  ...{ do: "fdkaac", id: name, from: name, to: `${name}_aac` },
  ...fdkaac,
});
