import type { ComputeGroup, TagLimit } from "../../shared/compute-group.ts";
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
  const tags = items.map(({ tag }) => tag);
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twice !== undefined) {
    const path = `items[${tags.lastIndexOf(twice)}].tag`;
    throw new AppError("VALIDATION_FAILED", `${path}: "${twice}" stands twice`, {
      details: [{ path, message: `"${twice}" stands twice` }],
    });
  }
  await farm.change((changes) => {
    farm.stores.computeGroups.setLimits(items);
    changes.limits = true;
  });
};

/** Tags of which as many tasks run as may. Counted anew each time, from what nodes hold: nothing can leak. */
export const fullTags = (farm: Farm): Set<string> => {
  const full = new Set<string>();
  for (const [tag, most] of farm.limits) if (farm.registry.countRunning(tag) >= most) full.add(tag);
  return full;
};
