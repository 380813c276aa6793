import { toNumber } from "../../../../shared/basics/rational.ts";
import type { TaskSplit } from "../../../../shared/model/job.ts";
import type { PlanContext } from "../../element.ts";
import type { Recipe, TargetRecipe } from "../recipe.ts";
import type { TranscodePayload } from "../schema.ts";
import { codecOfEncoder } from "../video/index.ts";
import { forTargets } from "./for-targets.ts";

type Context = PlanContext<TranscodePayload>;
type Split = { readonly groups: readonly Recipe[]; readonly warnings: readonly string[] };

/**
 * The recipe in parts that nodes make at the same time. `aggressive`: each target alone. `smart`: no part takes longer
 * than the longest target alone, so that they end at about the same time and the source is not decoded more often than
 * that takes.
 */
export const splitTargets = (context: Context, recipe: Recipe): Split => {
  const wish = wishOf(context);
  const targets = recipe.timelines.flatMap((timeline) => timeline.targets);
  if (wish === "disabled" || targets.length < 2) return { groups: [recipe], warnings: [] };
  const together = reasonFor(context, recipe);
  if (together)
    return { groups: [recipe], warnings: [`${context.uid}: one task makes all targets, since ${together}`] };
  const groups = wish === "aggressive" ? targets.map((target) => [target]) : balanced(targets);
  return { groups: groups.map((group) => forTargets(recipe, new Set(group))), warnings: [] };
};

const wishOf = ({ modifications = [], split = "disabled" }: Context): TaskSplit => {
  const asked = modifications.findLast(({ kind }) => kind === "transcode_auto_split");
  if (!asked) return split;
  const { mode } = asked.fields;
  return mode === "aggressive" || mode === "disabled" ? mode : "smart";
};

const reasonFor = ({ payload }: Context, { manifests }: Recipe): string | undefined => {
  if (manifests) return "its manifests name them all";
  return payload.options?.delete_sources ? "its sources are deleted at its end" : undefined;
};

/** The most expensive first, each to the part that has the most room left, or to a new one. */
const balanced = (targets: readonly TargetRecipe[]): TargetRecipe[][] => {
  const sorted = targets.toSorted((a, b) => costOf(b) - costOf(a));
  const most = costOf(sorted[0]) * 1.05;
  const groups: { targets: TargetRecipe[]; cost: number }[] = [];
  for (const target of sorted) {
    const cost = costOf(target);
    const found = groups.filter((group) => group.cost + cost <= most).sort((a, b) => a.cost - b.cost)[0];
    if (found) {
      found.targets.push(target);
      found.cost += cost;
    } else groups.push({ targets: [target], cost });
  }
  return groups.map((group) => targets.filter((target) => group.targets.includes(target)));
};

const soundCost = 1e6;

const costOf = (target: TargetRecipe | undefined): number => {
  const { video, expect, rate, passes = 1, isSequence } = target ?? {};
  if (!video?.filters || isSequence) return soundCost;
  const { width = 1280, height = 720 } = expect?.video ?? {};
  const frames = rate ? toNumber(rate) : 25;
  return soundCost + width * height * frames * passes * (codecOfEncoder(video.options.c)?.pixelCost ?? 1);
};
