import { hostname } from "node:os";
import { join, relative, sep } from "node:path";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type FarmMount, mergeMounts } from "../../../shared/files/mounts.ts";
import type { Node } from "../../../shared/model/node.ts";
import type { FarmArea, RunningFarm } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

/** What one node is asked about; more takes too long. */
const mostAsked = 20;
const mostNodes = 50;

/** Whether nodes reach the folders that jobs may use there, and whether none of these leads to the farm's own data. */
export const mounts: FarmArea = {
  name: "mounts",
  limitMs: 60_000,
  ask: async ({ farm, dataDir }, signal) => {
    const [{ items: all }, { items: ofFarm }] = await Promise.all([
      farm.ask("listNodes", {}, { signal }),
      farm.ask("listMounts", {}, { signal }),
    ]);
    const online = all
      .filter(({ presence, state }) => presence === "online" && state !== "pending")
      .slice(0, mostNodes);
    const asked = await Promise.all(online.map((node) => reachFindings(farm, node, ofFarm, signal)));
    return [
      ...asked.flat(),
      ...all.filter(({ name }) => name === hostname()).flatMap((node) => ownFindings(node, dataDir)),
    ];
  },
};

/** Nodes list each of their folders: one that cannot be listed cannot be used by jobs either. */
const reachFindings = async (
  farm: RunningFarm,
  node: Node,
  ofFarm: readonly FarmMount[],
  signal: AbortSignal,
): Promise<Finding[]> => {
  const flavour = node.platform === "win32" ? "win32" : "posix";
  const folders = [...node.roots, ...mergeMounts(node.mounts, ofFarm, flavour).map(({ folder }) => folder)];
  if (folders.length === 0)
    return [
      warn(
        `node ${node.name}`,
        `Jobs may use no folder of ${node.name}`,
        "Start its agent with --root, or set a mount.",
      ),
    ];
  const tried = await Promise.all(folders.slice(0, mostAsked).map((path) => problemAt(farm, node, path, signal)));
  const troubles = tried.filter((problem) => problem !== undefined);
  if (troubles.length === 0) return [ok(`node ${node.name}`, `${node.name} reaches ${foldersText(tried.length)}`)];
  return troubles.map((problem) =>
    bad(
      `node ${node.name}`,
      `${node.name}: ${problem}`,
      "Mount the share there, or tag jobs that need it away from this node.",
    ),
  );
};

const foldersText = (count: number): string => (count === 1 ? "its one folder" : `all ${count} folders`);

const problemAt = async (
  farm: RunningFarm,
  { id }: Node,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> => {
  try {
    await farm.ask("listFolder", { path, node_id: id }, { signal });
    return undefined;
  } catch (problem) {
    signal.throwIfAborted();
    return messageOf(problem);
  }
};

/** A folder that is lent to jobs and holds the farm's data, or lies in it. Agents refuse the data, but not what a person copies. */
export const ownFindings = (
  { name, roots, mounts: own }: Pick<Node, "name" | "roots" | "mounts">,
  dataDir: string,
): Finding[] => {
  const lent = [...roots, ...own.map(({ folder }) => folder)];
  const inside = lent.filter((folder) => isInside(folder, dataDir));
  const around = lent.filter((folder) => !inside.includes(folder) && isInside(dataDir, folder));
  return [
    ...inside.map((folder) =>
      bad(
        `node ${name}`,
        `${folder} is lent to jobs and lies in the farm's data folder`,
        "Lend another folder with --root.",
      ),
    ),
    ...around.map((folder) =>
      warn(
        `node ${name}`,
        `${folder} is lent to jobs and holds the farm's data folder ${dataDir}`,
        "Jobs are kept out of it; lend a folder beside it all the same.",
      ),
    ),
  ];
};

const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, join(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && join(folder, way) === join(path));
};
