import { statfs } from "node:fs/promises";
import type { Sensed } from "./situation.ts";

type Disk = NonNullable<Sensed["disk"]>;

/** The disk with the least free space among those that tasks write to; unreachable ones are skipped. */
export const fullestDisk = async (folders: readonly string[]): Promise<Disk | undefined> => {
  const disks = await Promise.all(folders.map((folder) => diskOf(folder).catch(() => undefined)));
  return disks.filter((disk) => disk !== undefined).sort((one, other) => one.free - other.free)[0];
};

const diskOf = async (folder: string): Promise<Disk> => {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize, folder };
};
