import { type Reach, reachNeeds, urisOf } from "../../shared/reach.ts";
import { storageKindOf } from "../../shared/storage.ts";
import type { Work } from "../../shared/work.ts";
import type { Farm } from "./farm.ts";

/** What a task's addresses require of a node; work on folders and mounts requires nothing. */
export const reachNeedsOf = (farm: Farm, work: Work): string[] => {
  const isRemote = urisOf(work).some((uri) => (storageKindOf(uri) ?? "file") !== "file");
  return isRemote ? reachNeeds(work, reachOf(farm)) : [];
};

/** The farm's mounts apply to every node, so they do not tell nodes apart. */
const reachOf = ({ registry }: Farm): Reach => {
  const profiles = registry.rows().map(({ profile }) => profile);
  const mounts = profiles.flatMap((profile) => profile.mounts);
  return {
    mounts: mounts.map(({ prefix }) => prefix),
    capabilities: new Set(profiles.flatMap(({ tools }) => tools.capabilities.filter((name) => /^storage:/.test(name)))),
  };
};
