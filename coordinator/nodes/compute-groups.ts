import type { ParsedInputOf } from "../../shared/api/api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { firstRepeated } from "../../shared/basics/first-repeated.ts";
import { invalid } from "../../shared/basics/validation.ts";
import { type ComputeGroup, maxTagLimits, type TagLimit } from "../../shared/model/compute-group.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { publishNode } from "./node-info.ts";
import type { Nodes } from "./nodes.ts";

/** Creates or changes a group. Its nodes follow at once; running tasks continue. */
export const putComputeGroup = (farm: Nodes, group: ComputeGroup): Promise<void> =>
  farm.change([], (draft) => {
    draft.setRow("groups", farm.values.groups, group.name, group);
    tellMembers(farm, draft, group.name);
  });

/** Deletes a group; its nodes then have none. False if there is no such group. */
export const removeComputeGroup = (farm: Pick<Nodes, "values" | "change">, name: string): Promise<boolean> =>
  farm.change([], (draft) => {
    if (!farm.values.groups.has(name)) return false;
    for (const row of [...farm.values.nodes.values()]) if (row.group === name) draft.setNode(row, { group: null });
    draft.setRow("groups", farm.values.groups, name, undefined);
    return true;
  });

const tellMembers = (farm: Nodes, draft: Transaction, name: string): void => {
  for (const { id, group } of farm.registry.rows()) if (group === name) draft.after(() => publishNode(farm, id));
};

/** All groups, sorted by name. */
export const listComputeGroups = ({ values }: Pick<Nodes, "values">): ComputeGroup[] =>
  inOrder([...values.groups.values()], ({ name }) => name);

const tagLimits = ({ values }: Nodes): TagLimit[] => inOrder([...values.limits.values()], ({ tag }) => tag);

/** No two keys are equal. */
const inOrder = <T>(rows: T[], keyOf: (row: T) => string): T[] => rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

/** A limit and how many tasks now run under it. */
export const countTagLimits = (farm: Nodes): (TagLimit & { running: number })[] =>
  tagLimits(farm).map(({ tag, most }) => ({ tag, most, running: farm.registry.countRunning(tag) }));

/** Replaces all limits. Tasks that run beyond a new limit continue. */
export const setTagLimits = async (farm: Nodes, items: readonly TagLimit[]): Promise<void> => {
  refuseTwice("items", items);
  await replaceLimits(farm, () => items);
};

/** Limits that are not named stay. Throws NOT_FOUND if one to remove does not exist. */
export const changeTagLimits = async (farm: Nodes, { set, remove }: ParsedInputOf<"changeLimits">): Promise<void> => {
  refuseTwice("set", set);
  await replaceLimits(farm, (limits) => {
    const all = new Map(limits.map(({ tag, most }) => [tag, most]));
    for (const tag of remove) if (!all.delete(tag)) throw new AppError("NOT_FOUND", `There is no limit of "${tag}"`);
    for (const { tag, most } of set) all.set(tag, most);
    if (all.size > maxTagLimits)
      throw new AppError("VALIDATION_FAILED", `The farm cannot have ${all.size} limits: ${maxTagLimits} at most`);
    return [...all].map(([tag, most]) => ({ tag, most }));
  });
};

/** Computes new limits from the current ones, so that two people who change different limits at once both succeed. */
const replaceLimits = (farm: Nodes, decide: (limits: TagLimit[]) => readonly TagLimit[]): Promise<void> =>
  farm.change([], (draft) => {
    const { limits } = farm.values;
    const after = new Map(decide(tagLimits(farm)).map((limit) => [limit.tag, limit]));
    for (const tag of [...limits.keys()]) if (!after.has(tag)) draft.setRow("limits", limits, tag, undefined);
    for (const [tag, limit] of after) draft.setRow("limits", limits, tag, limit);
  });

const refuseTwice = (field: string, items: readonly TagLimit[]): void => {
  const twice = firstRepeated(items, ({ tag }) => tag);
  if (twice) throw invalid([{ path: `${field}[${items.indexOf(twice)}].tag`, message: `"${twice.tag}" occurs twice` }]);
};

/** Tags whose limit is reached. Counted from running tasks each time, so that no counter can drift. */
export const fullTags = (farm: Pick<Nodes, "values" | "registry">): Set<string> => {
  const full = new Set<string>();
  for (const { tag, most } of farm.values.limits.values()) if (farm.registry.countRunning(tag) >= most) full.add(tag);
  return full;
};
