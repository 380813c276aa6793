import { AppError } from "../../shared/basics/errors.ts";
import type { Handlers } from "../http/server.ts";
import {
  changeTagLimits,
  countTagLimits,
  listComputeGroups,
  putComputeGroup,
  removeComputeGroup,
  setTagLimits,
} from "../nodes/compute-groups.ts";
import type { Nodes } from "../nodes/nodes.ts";

export const computeGroupHandlers = (farm: Nodes) =>
  ({
    listComputeGroups: () => ({ items: listComputeGroups(farm) }),
    putComputeGroup: async ({ name, provided_tags, mandatory_tags }) => {
      const group = { name, provided_tags, mandatory_tags };
      await putComputeGroup(farm, group);
      return group;
    },
    deleteComputeGroup: async ({ name }) => {
      if (await removeComputeGroup(farm, name)) return {};
      throw new AppError("NOT_FOUND", `There is no compute group "${name}"`);
    },
    listLimits: () => ({ items: countTagLimits(farm) }),
    setLimits: async ({ items }) => {
      await setTagLimits(farm, items);
      return { items: countTagLimits(farm) };
    },
    changeLimits: async (change) => {
      await changeTagLimits(farm, change);
      return { items: countTagLimits(farm) };
    },
  }) satisfies Partial<Handlers>;
