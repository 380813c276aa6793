import { toFraction, toSeconds } from "../../../../shared/basics/rational.ts";
import type { StepOf, Work } from "../../../../shared/work/work.ts";
import type { JoinedSections, Recipe, TargetRecipe } from "../recipe.ts";
import type { CutTarget } from "./section.ts";

/** The target with its pictures from sections; sound and subtitles are made in one piece. */
export const combined = ({ video, ...target }: CutTarget, { scratch }: JoinedSections): TargetRecipe => {
  const { track, metadata, pid, options } = video;
  return {
    ...target,
    passes: 1,
    video: {
      ...{ track, metadata, made: { scratch, format: "concat" } },
      // A list of files has no rate of its own, which MXF files must name.
      ...{ options: { c: "copy", tag: options.tag, r: toFraction(target.rate) }, pid },
    },
  };
};

/** Lists the sections of a target for ffmpeg. */
export const joinStep = ({ scratch, files }: JoinedSections): StepOf<"join"> => ({
  do: "join",
  id: scratch,
  to: scratch,
  files: files.map(({ seconds }, index) => ({ asset: sectionName(scratch, index), seconds: toSeconds(seconds) })),
});

export const sectionAssets = (joined: readonly JoinedSections[]): Work["assets"] =>
  Object.fromEntries(
    joined.flatMap(({ scratch, files }) =>
      files.map(({ uri, size, modified }, index) => [
        sectionName(scratch, index),
        { uri, ...(size !== undefined && modified !== undefined && { looked: { size, modified } }) },
      ]),
    ),
  );

/** Sections are deleted once what is made of them is published. */
export const deletingSections = ({ joined = [] }: Recipe): NonNullable<Work["after"]> => {
  const files = joined.flatMap((each) => each.files).map(({ uri, size, modified }) => ({ uri, size, modified }));
  return files.length > 0 ? [{ do: "delete", id: "delete_sections", files }] : [];
};

const sectionName = (scratch: string, index: number): string => `${scratch}_${index}`;
