import { subtract } from "../../../../shared/basics/rational.ts";
import { joinUri, nameOf } from "../../../../shared/files/location.ts";
import { sectionFileName } from "../../../../shared/files/section-files.ts";
import type { PlanContext, TaskPlan } from "../../element.ts";
import { forTargets } from "../division/for-targets.ts";
import type { JoinedSections, Recipe, TargetRecipe, Timeline } from "../recipe.ts";
import type { TranscodePayload } from "../schema.ts";
import { combined } from "./combine.ts";
import { planCuts, type Section } from "./cuts.ts";
import { obstacleOfSource, obstacleOfTarget } from "./obstacles.ts";
import { type CutTarget, gridOf, sectionOf } from "./section.ts";

/** Targets of one timeline that are cut at the same moments. */
type Cut = {
  readonly timeline: Timeline;
  readonly targets: readonly CutTarget[];
  readonly sections: readonly Section[];
};

type Context = PlanContext<TranscodePayload>;
type Made = { readonly cuts: readonly Cut[]; readonly warnings: readonly string[] };

/** More sections cost more than they save. */
const mostSections = 500;

/** How a recipe becomes a task. */
type TaskOf = (uid: string, name: string, recipe: Recipe) => TaskPlan<Recipe>;

type Divided =
  | { readonly stage: string; readonly tasks: readonly TaskPlan<Recipe>[] }
  /** Without tasks the transcode is made in one piece. */
  | { readonly tasks?: readonly TaskPlan<Recipe>[]; readonly warnings: readonly string[] };

/**
 * A transcode whose pictures several nodes encode at the same time: first a stage of sections, then tasks that combine
 * them with the sound. The warnings say what is made in one piece all the same.
 */
export const planSections = (context: Context, recipe: Recipe, seconds: number, taskOf: TaskOf): Divided => {
  const { cuts, warnings } = cutsOf(context, recipe, seconds);
  const parts = cuts.flatMap((cut) => cut.sections.map((section) => ({ cut, section })));
  if (parts.length === 0) return { warnings };
  const isMade = parts.every((_part, number) => context.stageOutputs?.(uidOfSection(context, number)));
  if (isMade) return { tasks: combiners(context, recipe, cuts, taskOf), warnings };
  const tasks = parts.map(({ cut, section }, number) =>
    taskOf(
      uidOfSection(context, number),
      `${context.uid} #${numbered(number + 1)}`,
      recipeOf(context, recipe, cut, section),
    ),
  );
  return { stage: "sections", tasks };
};

const cutsOf = ({ uid }: Context, recipe: Recipe, seconds: number): Made => {
  const found = recipe.timelines.map((timeline) => cutOf(timeline, recipe, seconds));
  const isFilm = recipe.timelines.some(({ targets }) => targets.some(hasFilm));
  const reasons = isFilm ? found.flatMap(({ reasons }) => reasons) : ["no picture is encoded"];
  return {
    cuts: found.flatMap(({ cut }) => cut ?? []),
    warnings: [...new Set(reasons)].map((why) => `${uid}: it is made in one piece, since ${why}`),
  };
};

/** The cut of one timeline, if there is more than one section, and what keeps its targets from being cut. */
const cutOf = (timeline: Timeline, recipe: Recipe, seconds: number): { cut?: Cut; reasons: readonly string[] } => {
  const { source } = timeline;
  const films = timeline.targets.filter(hasFilm);
  if (films.length === 0) return { reasons: [] };
  const obstacle = obstacleOfSource(source, recipe);
  if (obstacle !== undefined) return { reasons: [obstacle] };
  const obstacles = new Map(films.map((target) => [target, obstacleOfTarget(target, source)]));
  const reasons = [...obstacles].flatMap(([{ uid }, why]) => (why === undefined ? [] : [`${why} (${uid})`]));
  const targets = films.filter((target): target is CutTarget => obstacles.get(target) === undefined);
  const { duration } = source.timing;
  if (!duration || targets.length === 0) return { reasons };
  const sections = planCuts(targets.map(gridOf), seconds, duration);
  if (!sections) return { reasons: [...reasons, "its targets have no key frames in common"] };
  if (sections.length > mostSections) return { reasons: [...reasons, `it would have ${sections.length} sections`] };
  return sections.length > 1 ? { cut: { timeline, targets, sections }, reasons } : { reasons };
};

/** Images are made in one piece. */
const hasFilm = ({ video, muxer }: TargetRecipe): boolean => video?.filters !== undefined && muxer !== "image2";

const recipeOf = (context: Context, recipe: Recipe, cut: Cut, section: Section): Recipe => {
  const at = cut.sections.indexOf(section);
  const timeline = sectionOf(cut.timeline.source, cut.targets, section, (target) =>
    nameOfSection(context, cut, target, at),
  );
  const part = forTargets({ ...recipe, timelines: [timeline] }, new Set(timeline.targets));
  return { ...part, isSection: true };
};

/** One task for each target, or one for all where something is made of all of them; the others in one decode. */
const combiners = (context: Context, recipe: Recipe, cuts: readonly Cut[], taskOf: TaskOf): TaskPlan<Recipe>[] => {
  const found = new Map(cuts.flatMap((cut) => joinedOf(context, cuts, cut)));
  const lists = new Map<TargetRecipe, JoinedSections>();
  const timelines = recipe.timelines.map(({ source, targets }) => ({
    source,
    targets: targets.map((target) => {
      const joined = found.get(target);
      if (!joined) return target;
      const made = combined(target as CutTarget, joined); // only cut targets have sections
      lists.set(made, joined);
      return made;
    }),
  }));
  const { uid, payload } = context;
  const all = { ...recipe, timelines };
  const isTogether = recipe.manifests !== undefined || payload.options?.delete_sources === true;
  if (isTogether) return [taskOf(`${uid}_combiner_0`, `${uid} combine`, { ...all, joined: [...lists.values()] })];
  const rest = timelines.flatMap(({ targets }) => targets.filter((target) => !lists.has(target)));
  return [
    ...[...lists].map(([target, joined], number) =>
      taskOf(`${uid}_combiner_${number}`, `${uid} combine`, {
        ...forTargets(all, new Set([target])),
        joined: [joined],
      }),
    ),
    ...(rest.length > 0 ? [taskOf(uid, uid, forTargets(all, new Set(rest)))] : []),
  ];
};

const joinedOf = (context: Context, cuts: readonly Cut[], cut: Cut): [TargetRecipe, JoinedSections][] => {
  const first = cuts.slice(0, cuts.indexOf(cut)).reduce((sum, { sections }) => sum + sections.length, 0);
  return cut.targets.map((target, index) => {
    const files = cut.sections.map(({ from, to = cut.timeline.source.timing.duration ?? from }, at) => {
      const uri = joinUri(target.folder, nameOfSection(context, cut, target, at));
      const made = Object.values(context.stageOutputs?.(uidOfSection(context, first + at)) ?? {}).flat();
      const file = made.find((each) => nameOf(each.uri) === nameOf(uri));
      return { uri: file?.uri ?? uri, size: file?.size, modified: file?.modified, seconds: subtract(to, from) };
    });
    return [target, { scratch: `sections_${cuts.indexOf(cut)}_${index}`, files }];
  });
};

const numbered = (number: number): string => String(number).padStart(3, "0");
const uidOfSection = ({ uid }: Context, number: number): string => `${uid}_seg#${numbered(number)}`;

const nameOfSection = ({ job }: Context, { sections }: Cut, { name, uid }: TargetRecipe, number: number): string =>
  sectionFileName({ name, uid, number, total: sections.length, jobId: job.id });
