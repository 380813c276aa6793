import { type Reach, reachNeeds, urisOf } from "../../shared/reach.ts";
import { storageKindOf } from "../../shared/storage.ts";
import type { Work } from "../../shared/work.ts";
import type { Farm } from "./farm.ts";

/** What of a node the task's addresses ask for; work that stays on folders and mounts asks nobody. */
export const reachNeedsOf = (farm: Farm, work: Work): string[] => {
  const isRemote = urisOf(work).some((uri) => (storageKindOf(uri) ?? "file") !== "file");
  return isRemote ? reachNeeds(work, reachOf(farm)) : [];
};

/** The farm's mounts hold on every node alike, so they tell no node from another. */
const reachOf = ({ registry }: Farm): Reach => {
  const profiles = registry.rows().map(({ profile }) => profile);
  const mounts = profiles.flatMap((profile) => profile.mounts);
  return {
    mounts: mounts.map(({ prefix }) => prefix),
    capabilities: new Set(profiles.flatMap(({ tools }) => tools.capabilities.filter((name) => /^storage:/.test(name)))),
  };
};
