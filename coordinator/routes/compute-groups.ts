import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../http/server.ts";
import {
  changeTagLimits,
  computeGroups,
  putComputeGroup,
  removeComputeGroup,
  setTagLimits,
  tagLimitsNow,
} from "../work/compute-groups.ts";
import type { Farm } from "../work/farm.ts";

export const computeGroupHandlers = (farm: Farm) =>
  ({
    listComputeGroups: () => ({ items: computeGroups(farm) }),
    putComputeGroup: async ({ name, provided_tags, mandatory_tags }) => {
      const group = { name, provided_tags, mandatory_tags };
      await putComputeGroup(farm, group);
      return group;
    },
    deleteComputeGroup: async ({ name }) => {
      if (await removeComputeGroup(farm, name)) return {};
      throw new AppError("NOT_FOUND", `There is no compute group "${name}"`);
    },
    listLimits: () => ({ items: tagLimitsNow(farm) }),
    setLimits: async ({ items }) => {
      await setTagLimits(farm, items);
      return { items: tagLimitsNow(farm) };
    },
    changeLimits: async (change) => {
      await changeTagLimits(farm, change);
      return { items: tagLimitsNow(farm) };
    },
  }) satisfies Partial<Handlers>;
