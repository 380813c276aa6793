import { type ComputeGroup, mostLimits, type TagLimit } from "../../shared/compute-group.ts";
import { AppError } from "../../shared/errors.ts";
import type { Changes, Farm } from "./farm.ts";

/** Makes a group, or changes the one of that name; its nodes follow at once, what runs on them goes on. */
export const putComputeGroup = (farm: Farm, group: ComputeGroup): Promise<void> =>
  farm.change((changes) => {
    farm.stores.computeGroups.put(group);
    refreshMembers(farm, changes, group.name);
  });

/** Its nodes belong to none then. False where there is no such group. */
export const removeComputeGroup = (farm: Farm, name: string): Promise<boolean> =>
  farm.change((changes) => {
    refreshMembers(farm, changes, name);
    return farm.stores.computeGroups.remove(name);
  });

const refreshMembers = (farm: Farm, changes: Changes, name: string): void => {
  for (const { id, group } of farm.registry.rows()) if (group?.name === name) changes.nodes.add(id);
};

/** A limit with how many tasks run under it now. */
export const tagLimitsNow = (farm: Farm): (TagLimit & { running: number })[] =>
  farm.stores.computeGroups.limits().map(({ tag, most }) => ({ tag, most, running: farm.registry.countRunning(tag) }));

/** Takes the place of all limits that there were. Tasks that run beyond a new one go on. */
export const setTagLimits = async (farm: Farm, items: readonly TagLimit[]): Promise<void> => {
  refuseTwice("items", items);
  await replaceLimits(farm, () => items);
};

type LimitChange = { readonly set: readonly TagLimit[]; readonly remove: readonly string[] };

/** The limits that are not named stay. Throws NOT_FOUND where one is to be taken away that there is not. */
export const changeTagLimits = async (farm: Farm, { set, remove }: LimitChange): Promise<void> => {
  refuseTwice("set", set);
  await replaceLimits(farm, (limits) => {
    const all = new Map(limits.map(({ tag, most }) => [tag, most]));
    for (const tag of remove) if (!all.delete(tag)) throw new AppError("NOT_FOUND", `There is no limit of "${tag}"`);
    for (const { tag, most } of set) all.set(tag, most);
    if (all.size > mostLimits)
      throw new AppError("VALIDATION_FAILED", `The farm cannot have ${all.size} limits: ${mostLimits} at most`);
    return [...all].map(([tag, most]) => ({ tag, most }));
  });
};

/** What they become is decided from what they are, in one commit: two people who change others at once both get theirs. */
const replaceLimits = (farm: Farm, decide: (limits: TagLimit[]) => readonly TagLimit[]): Promise<void> =>
  farm.change((changes) => {
    farm.stores.computeGroups.setLimits(decide(farm.stores.computeGroups.limits()));
    changes.limits = true;
  });

const refuseTwice = (field: string, items: readonly TagLimit[]): void => {
  const tags = items.map(({ tag }) => tag);
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twice === undefined) return;
  const path = `${field}[${tags.lastIndexOf(twice)}].tag`;
  const message = `"${twice}" stands twice`;
  throw new AppError("VALIDATION_FAILED", `${path}: ${message}`, { details: [{ path, message }] });
};

/** Tags of which as many tasks run as may. Counted anew each time, from what nodes hold: nothing can leak. */
export const fullTags = (farm: Farm): Set<string> => {
  const full = new Set<string>();
  for (const [tag, most] of farm.limits) if (farm.registry.countRunning(tag) >= most) full.add(tag);
  return full;
};
