import type { Plan, PlanContext, TaskPlan } from "../element.ts";
import { demandOf } from "./demand.ts";
import type { Recipe } from "./recipe.ts";
import { requirementsOf } from "./requirements.ts";
import type { TranscodePayload } from "./schema.ts";
import { planSections } from "./sections/plan.ts";
import { secondsOfSections } from "./sections/wish.ts";

/** One task makes all targets in one decode, unless the job asks to divide the work. */
export const planTasks = (
  context: PlanContext<TranscodePayload>,
  recipe: Recipe,
  warnings: readonly string[],
): Plan<Recipe> => {
  const { uid } = context;
  const seconds = secondsOfSections(context);
  const made = seconds === undefined ? undefined : planSections(context, recipe, seconds, taskOf);
  if (made && "stage" in made) return made;
  const tasks = made?.tasks ?? [taskOf(uid, uid, recipe)];
  return { tasks, warnings: [...warnings, ...unsplit(context), ...(made?.warnings ?? [])] };
};

const taskOf = (uid: string, name: string, detail: Recipe): TaskPlan<Recipe> => ({
  ...{ uid, name, detail, weight: "full" },
  requires: requirementsOf(detail),
  demand: demandOf(detail.timelines),
});

/** Scripts may ask to make targets on several nodes; the result of one task is the same. */
const unsplit = ({ uid, modifications = [] }: PlanContext<unknown>): string[] =>
  modifications
    .filter(({ kind }) => kind !== "transcode_segmented_rendering")
    .map(({ kind }) => `${uid}: ${kind} has no effect in this version: one task makes all targets`);
