import { AppError } from "../../shared/basics/errors.ts";
import type { Narrowed } from "../../shared/people/narrowed.ts";
import { isWithin, type Within, withinOf, withinWords } from "../../shared/rights/narrowing.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { type NodeRow, noSchedule, tagsOfNode } from "../store/rows.ts";

type Groups = Pick<Kernel, "values">;

/** The nodes and jobs that somebody may change now. */
export const withinNow = ({ values }: Groups, narrowed: Narrowed | undefined): Within =>
  withinOf(narrowed, (group) => values.groups.get(group)?.provided_tags);

/** Throws NOT_ALLOWED for a node that somebody may not change. One that is unknown is left to whoever changes it. */
export const requireNodeWithin = ({ values }: Groups, within: Within, nodeId: number): void => {
  const node = values.nodes.get(nodeId);
  if (node) requireWithin(within, allTagsOf({ values }, node), node.profile.name);
};

/** A node's own tags, and those that its compute group provides. */
const allTagsOf = ({ values }: Groups, node: NodeRow): readonly string[] => [
  ...tagsOfNode(node),
  ...(node.group === null ? [] : (values.groups.get(node.group)?.provided_tags ?? [])),
];

/** Throws NOT_ALLOWED for a job that somebody may not change, by the tags that it has itself. An unknown job is told later. */
export const requireJobWithin = async (
  { store }: Pick<Kernel, "store">,
  within: Within,
  jobId: number,
): Promise<void> => {
  if (within === "all" || !(await store.load.row("jobs", jobId))) return;
  const { tags } = (await store.load.row("schedules", jobId)) ?? noSchedule;
  requireWithin(within, tags, `Job ${jobId}`);
};

/** Throws NOT_ALLOWED for a job that has, or would have, none of the tags. */
export const requireWithin = (within: Within, tags: readonly string[], what: string): void => {
  if (within === "all" || isWithin(within, tags)) return;
  const has = tags.length === 0 ? "has no tags" : `has only ${tags.slice(0, 20).join(", ")}`;
  throw new AppError(
    "NOT_ALLOWED",
    `Your role is narrowed to what has one of these tags: ${withinWords(within)}. ${what} ${has}`,
  );
};
