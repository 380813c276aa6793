import type { Plan, PlanContext, TaskPlan } from "../../element.ts";
import { requirementsOf } from "../command/requirements.ts";
import { demandOf } from "../demand.ts";
import type { Recipe } from "../recipe.ts";
import type { TranscodePayload } from "../schema.ts";
import { planSections } from "../sections/plan.ts";
import { secondsOfSections } from "../sections/section-length.ts";
import { splitTargets } from "./split.ts";

/** One task makes all targets in one decode, unless the job asks to divide the work. */
export const planTasks = (
  context: PlanContext<TranscodePayload>,
  recipe: Recipe,
  warnings: readonly string[],
): Plan<Recipe> => {
  const seconds = secondsOfSections(context);
  const made = seconds === undefined ? undefined : planSections(context, recipe, seconds, taskOf);
  if (made && "stage" in made) return made;
  const split = made?.tasks ? { tasks: made.tasks, warnings: [] } : splitTasks(context, recipe);
  return { tasks: split.tasks, warnings: [...warnings, ...(made?.warnings ?? []), ...split.warnings] };
};

/** One task for each group of targets. */
const splitTasks = (context: PlanContext<TranscodePayload>, recipe: Recipe) => {
  const { uid } = context;
  const { groups, warnings } = splitTargets(context, recipe);
  const [only, ...others] = groups;
  if (only && others.length === 0) return { tasks: [taskOf(uid, uid, only)], warnings };
  return { tasks: groups.map((group, number) => taskOf(`${uid}_${number}`, `${uid} #${number + 1}`, group)), warnings };
};

const taskOf = (uid: string, name: string, detail: Recipe): TaskPlan<Recipe> => ({
  ...{ uid, name, detail, weight: "full" },
  requires: requirementsOf(detail),
  demand: demandOf(detail.timelines),
  ...(detail.isSection && { isAlike: true }),
});
