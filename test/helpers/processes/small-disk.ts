import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that is a disk of its own, of so many megabytes. */
export const mountSmallDisk = (path: string, megabytes: number): void => {
  mkdirSync(path, { recursive: true });
  const { status, stderr } = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${Math.round(megabytes * 1024)}k`,
    "tmpfs",
    path,
  ]);
  if (status !== 0) throw new Error(`No disk can be mounted on ${path}: ${stderr}`);
};

export const unmountDisk = (path: string): void => {
  spawnSync("umount", ["--lazy", path]);
};

/** Whether this user may mount disks here: root on Linux, as a rule. */
export const canMount = (): boolean => {
  const path = mkdtempSync(join(tmpdir(), "mediafarm-mount-"));
  try {
    mountSmallDisk(path, 1);
    unmountDisk(path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
};

/** Writes until nothing fits any more; the function returned makes room again. */
export const fillDisk = (path: string): (() => void) => {
  const files: string[] = [];
  for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      const file = join(path, `ballast-${files.length}`);
      files.push(file);
      try {
        writeFileSync(file, Buffer.alloc(size));
      } catch {
        break; // full for this size; smaller ones may fit
      }
    }
  }
  return () => {
    for (const file of files) rmSync(file, { force: true });
  };
};
