import { readdir, readFile, statfs } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem, type, version } from "node:os";
import type { Hello } from "../shared/protocol.ts";

/** What the machine is, and what tasks may count on. */
export const readMachine = async (scratch: string): Promise<Hello["machine"]> => ({
  cpu: (cpus()[0]?.model.trim() || "unknown").slice(0, 200),
  cores: availableParallelism(),
  // A container may be given less than the machine has.
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  disk: await freeSpace(scratch),
  gpus: await countGpus(),
  os: (await nameOfSystem()).slice(0, 200),
});

/** Where systems keep the name under which people know them. */
const names: Readonly<Record<string, { readonly path: string; readonly name: RegExp; readonly prefix: string }>> = {
  linux: { path: "/etc/os-release", name: /^PRETTY_NAME="?([^"\n]+)/m, prefix: "" },
  darwin: {
    path: "/System/Library/CoreServices/SystemVersion.plist",
    name: /<key>ProductVersion<\/key>\s*<string>([^<]+)/,
    prefix: "macOS ",
  },
};

const nameOfSystem = async (): Promise<string> => {
  if (process.platform === "win32") return version();
  const { path, name, prefix } = names[process.platform] ?? {};
  const text = path && (await readFile(path, "utf8").catch(() => undefined)); // what is not told is not known
  const found = text && name?.exec(text)?.[1];
  return found ? `${prefix}${found}` : `${type()} ${release()}`;
};

const freeSpace = async (folder: string): Promise<number | undefined> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined; // unknown space is not counted
  }
};

/** By the devices that Linux shows; elsewhere unknown, which counts as none. */
const countGpus = async (): Promise<number | undefined> => {
  if (process.platform !== "linux") return undefined;
  const own = (await namesIn("/dev")).filter((name) => /^nvidia\d+$/.test(name));
  const rendering = (await namesIn("/dev/dri")).filter((name) => /^renderD\d+$/.test(name));
  return Math.max(own.length, rendering.length);
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []); // no such folder, no such device
