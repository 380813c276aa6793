import { spawnSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Why no Debian of its own can be made here; empty if one can. */
export const debianLacks = (): string => {
  if (process.getuid?.() !== 0) return "only root can enter another system";
  const missing = ["debootstrap", "dpkg-deb", "unshare", "setpriv"].find(
    (name) => spawnSync("which", [name]).status !== 0,
  );
  return missing === undefined ? "" : `no ${missing}`;
};

/** Runs a program to its end and gives what it printed; fails, with its words, if it fails. */
export const run = (program: string, ...words: string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1e8 });
  expect([program, ...words, status, error?.message ?? stderr]).toEqual([program, ...words, 0, expect.any(String)]);
  return stdout;
};

/**
 * Makes a fresh Debian 12 in the folder `system`, from Debian's archive, or as a copy of the one that MEDIAFARM_DEBIAN_ROOT
 * names, which spares a minute.
 */
export const makeDebian = (system: string): void => {
  const prepared = process.env.MEDIAFARM_DEBIAN_ROOT;
  if (prepared) run("cp", "-a", prepared, system);
  else run("debootstrap", "--variant=minbase", "bookworm", system, "http://deb.debian.org/debian");
  copyFileSync("/etc/resolv.conf", join(system, "etc/resolv.conf"));
};

/** The words that run a command within that system, whose processes end with it. */
export const inside = (system: string, ...words: string[]): [string, string[]] => {
  const own = ["--mount", "--pid", "--fork", "--kill-child", `--mount-proc=${join(system, "proc")}`];
  return ["unshare", [...own, "chroot", system, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", ...words]];
};

export const runInside = (system: string, ...words: string[]): string => {
  const [program, all] = inside(system, "DEBIAN_FRONTEND=noninteractive", ...words);
  return run(program, ...all);
};
