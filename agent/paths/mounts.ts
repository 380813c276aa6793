import { z } from "zod";
import type { PathFlavour } from "../../shared/files/location.ts";
import { type FarmMount, farmMounts, type Mount, mergeMounts } from "../../shared/files/mounts.ts";
import { readTextIfThere, statIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { writeDurably } from "../disk/own-files.ts";
import type { Log } from "../log.ts";

const file = z.strictObject({ farms: z.record(z.string(), farmMounts) });

/** The mounts of this node: its own, and the farm's as last received, even before a restart of the coordinator. */
export type MountTable = {
  current(): readonly Mount[];
  /** Takes effect at once. The promise resolves when they are saved for the next start. */
  take(mounts: readonly FarmMount[]): Promise<void>;
};

export type MountTableNeeds = {
  readonly path: string;
  readonly farmId: string;
  readonly own: readonly Mount[];
  readonly flavour: PathFlavour;
  readonly log: Log;
};

export const openMountTable = async ({ path, farmId, own, flavour, log }: MountTableNeeds): Promise<MountTable> => {
  // A damaged file can be ignored: the next welcome sends all mounts again.
  const farms = parseJsonAs(file, await readTextIfThere(path))?.farms ?? {};
  let current = mergeMounts(own, farms[farmId] ?? [], flavour);

  const warn = async (): Promise<void> => {
    for (const { prefix, folder } of current.slice(own.length)) {
      const isThere = await isFolder(folder);
      if (!isThere)
        log.warn("A farm mount's folder is not on this node: tasks that need it fail here", { prefix, folder });
    }
  };

  /** Writes are queued: two at once would remove each other's temporary file. */
  let kept = Promise.resolve();
  const keep = (): Promise<void> => {
    kept = kept.catch(() => undefined).then(() => writeDurably(path, JSON.stringify({ farms }, null, 2)));
    return kept;
  };

  return {
    current: () => current,
    take: async (mounts) => {
      current = mergeMounts(own, mounts, flavour);
      const isKnown = JSON.stringify(farms[farmId] ?? []) === JSON.stringify(mounts);
      farms[farmId] = [...mounts];
      await warn();
      if (!isKnown) await keep();
    },
  };
};

/** False also for a share that cannot be reached. */
const isFolder = async (folder: string): Promise<boolean> => {
  try {
    return (await statIfThere(folder))?.isDirectory() ?? false;
  } catch {
    return false; // not readable for us, or the share is unavailable: jobs could not use it either
  }
};
