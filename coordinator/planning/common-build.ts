import type { JobValue } from "../kernel/job-value.ts";
import { buildNeed } from "../schedule/builds.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type ElementRunRow, type NodeRow, slotsOfNode } from "../store/rows.ts";
import { requirementsOf, type TaskShape, tagsOfRun } from "./plan-tasks.ts";

/**
 * The tasks, parts of one file among them bound to one build of ffmpeg, because others may encode differently: of the
 * builds on nodes that could run all of these parts, the one with the most slots. Nodes that do not work now have no say
 * where others do: the parts would wait for them, whoever else is free.
 */
export const inOneBuild = (
  farm: Secrets,
  job: JobValue,
  run: ElementRunRow,
  tasks: readonly TaskShape[],
): readonly TaskShape[] => {
  const parts = tasks.filter(({ isAlike }) => isAlike);
  const [first] = parts;
  if (!first) return tasks;
  // They read and write the same places; what else they require may differ.
  const requires = [...new Set([...requirementsOf(farm, job, run, first), ...parts.flatMap((part) => part.requires)])];
  const { weight, demand } = first;
  const build = largestBuild(farm.registry.ableTo({ weight, demand, requires, tags: tagsOfRun(job, run), avoids: [] }));
  if (build === undefined) return tasks;
  return tasks.map((task) => (task.isAlike ? { ...task, requires: [...task.requires, buildNeed(build)] } : task));
};

/** The build with the most slots on these nodes; undefined if none of them has ffmpeg. */
const largestBuild = (nodes: readonly NodeRow[]): string | undefined => {
  const slots = new Map<string, number>();
  for (const node of nodes) {
    const build = node.profile.tools.ffmpeg?.build;
    if (build !== undefined) slots.set(build, (slots.get(build) ?? 0) + slotsOfNode(node));
  }
  const [most] = [...slots].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1));
  return most?.[0];
};
