import type { Output, Step, StepOf, Work } from "../../../shared/work/work.ts";
import { assetNamed, sourceAssets } from "../../virtual-source/input-args.ts";
import { buildCommand, commandOf, type Numbered, type Opening, outputArgs } from "./command/command.ts";
import { encodedSounds } from "./command/encoded-sounds.ts";
import { encryptSteps, keyAssets, keyOutputs } from "./command/encrypt-steps.ts";
import { captionSteps, drawnSteps, extraAssets, sourcesOf, stageStep } from "./command/extra-files.ts";
import { measuringSteps } from "./command/measuring.ts";
import { type Pass, passOptions } from "./command/passes.ts";
import { outIdOf, type Recipe, type StreamRecipe, type TargetRecipe } from "./recipe.ts";
import { joinStep, sectionAssets } from "./sections/combine.ts";
import { textSteps } from "./subtitles/steps.ts";

/**
 * One ffmpeg makes all targets that are cut alike and take one pass; each further pass is a command. Before them come
 * steps that make the files which filters read, and steps that measure.
 */
export const compileTranscode = (recipe: Recipe): Work => {
  const { timelines, staged = [], subtitles = [], captions = [], splices = [], measures = [], joined = [] } = recipe;
  const all = timelines.flatMap(({ targets }) => targets);
  const numbered = all.map((target, index) => ({ target, out: outIdOf(index) }));
  const assets = {
    ...{ ...sourceAssets(sourcesOf(recipe)), ...extraAssets(recipe), ...sectionAssets(joined) },
    ...keyAssets(numbered),
  };
  const steps = timelines.flatMap(({ source, targets }, index) => {
    const made = numbered.filter(({ target }) => targets.includes(target));
    return stepsOf({ source, assets, id: index === 0 ? "transcode" : `transcode_${index}` }, made);
  });
  return {
    assets,
    outputs: Object.fromEntries([
      ...numbered.map(({ target, out }) => [out, outputOf(target)] as const),
      ...keyOutputs(numbered),
      ...numbered.flatMap(({ target, out }) =>
        target.referred ? [[movieIdOf(out), target.referred.movie] as const] : [],
      ),
      ...(recipe.manifests?.outputs ?? []),
    ]),
    steps: [
      ...staged.map((each) => stageStep(each, assets)),
      ...subtitles.flatMap((each) => drawnSteps(each, assets)),
      ...splices.map(
        ({ uri, stream }): Step => ({ do: "find_splices", id: "splices", asset: assetNamed(uri, assets), stream }),
      ),
      ...captions.flatMap((each) => captionSteps(each, assets)),
      ...measures.flatMap((each) => measuringSteps(each, assets)),
      ...joined.map(joinStep),
      ...steps,
      ...(recipe.manifests?.steps ?? []),
    ],
  };
};

const stepsOf = (opening: Opening, wanted: readonly Numbered[]): Step[] => {
  const texts = textSteps(wanted, opening.assets);
  const { steps, made } = encodedSounds(opening, texts.made);
  const plain = made.filter(({ target }) => target.passes === 1);
  const repeated = made.filter(({ target }) => target.passes > 1);
  const together = plain.length > 0 ? [buildCommand(opening, plain)] : [];
  const passes = repeated.flatMap((each) => passesOf(opening, each));
  const cleaned = made.flatMap(({ target, out }): Step[] => [
    ...cleaning({ target, out }),
    ...encryptSteps({ target, out }),
  ]);
  return [...texts.steps, ...steps, ...together, ...passes, ...cleaned];
};

/** Changes of a file that its muxer cannot write as the job wants it. */
const cleaning = ({ target, out }: Numbered): Step[] => [
  ...changingStream(target, out),
  ...(target.codestream
    ? [{ do: "codestream_profile" as const, id: `${out}_profile`, of: out, ...target.codestream }]
    : []),
];

const changingStream = (
  { nullPid: pid, clock, splices, boxes, lines, hasLongFrames, header, light, referred, finishing, pace }: TargetRecipe,
  out: string,
): Step[] => [
  ...(pid === undefined ? [] : [{ do: "null_packets" as const, id: `${out}_nulls`, of: out, pid }]),
  ...(pace ? [{ do: "pace_transport" as const, id: `${out}_pace`, of: out, ...pace }] : []),
  ...(splices
    ? [{ do: "insert_splices" as const, id: `${out}_splices`, of: out, ...splices, points: [...splices.points] }]
    : []),
  // Behind the sections, which find their places by the clock of the picture.
  ...(clock ? [{ do: "own_clock" as const, id: `${out}_clock`, of: out, ...clock }] : []),
  ...(boxes ? [{ do: "mp4_boxes" as const, id: `${out}_boxes`, of: out, changes: boxes }] : []),
  ...(lines ? [{ do: "mxf_lines" as const, id: `${out}_lines`, of: out, ...lines }] : []),
  ...(hasLongFrames ? [{ do: "packet_pointers" as const, id: `${out}_pointers`, of: out }] : []),
  ...(header ? [{ do: "mxf_header" as const, id: `${out}_header`, of: out, changes: header }] : []),
  ...(light ? [{ do: "matroska_light" as const, id: `${out}_light`, of: out, ...light }] : []),
  // Last: the movie names the places that the media have in the end.
  ...(referred
    ? [
        {
          ...{ do: "refer_media" as const, id: `${out}_refer`, of: out, to: movieIdOf(out) },
          address: referred.address,
        },
      ]
    : []),
  ...(finishing ? [{ do: "finish_manifest" as const, id: `${out}_finish`, of: out, ...finishing }] : []),
];

const movieIdOf = (out: string): string => `${out}_movie`;

const outputOf = (target: TargetRecipe): Output => {
  const { uid: version, folder, name, isSequence, isPackage, existing, temp, object, expect, layer } = target;
  return { version, folder, name, isSequence, isPackage, existing, temp, object, expect, layer };
};

const passesOf = (opening: Opening, { target, out }: Numbered): StepOf<"ffmpeg">[] => {
  const log = `pass_${out}`;
  const { texts: _later, ...picture } = target;
  const silent = { ...picture, audio: [], options: {}, metadata: {}, muxer: "null" };
  const earlier = Array.from({ length: target.passes - 1 }, (_, index) => {
    const made = { ...silent, video: withPass(target, index === 0 ? 1 : 3, log) };
    return commandOf({ ...opening, id: `${out}_pass${index + 1}` }, [made], (inputs) =>
      outputArgs(inputs, made, 0, "-"),
    );
  });
  const last = { ...target, video: withPass(target, 2, log) };
  const id = `${out}_pass${target.passes}`;
  return [...earlier, commandOf({ ...opening, id }, [last], (inputs) => outputArgs(inputs, last, 0, { out }))];
};

const withPass = ({ video }: TargetRecipe, pass: Pass, log: string): StreamRecipe | undefined =>
  video && { ...video, options: { ...video.options, ...passOptions(video.options, pass, log) } };
