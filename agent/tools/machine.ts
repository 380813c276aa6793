import { readdir, readFile, statfs } from "node:fs/promises";
import { availableParallelism, cpus, type as osType, release, totalmem } from "node:os";
import { parseEnv } from "node:util";
import type { Hello } from "../../shared/protocol/messages.ts";
import type { Log } from "../log.ts";

/** Describes the machine and its resources. Falls back to what Node.js knows. */
export const readMachine = async (log: Log, scratch: string): Promise<Hello["machine"]> => {
  const plain = {
    cpu: (cpus()[0]?.model ?? "unknown").slice(0, 200),
    cores: availableParallelism(),
    // A container may be given less than the machine has.
    memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
    disk: await freeSpace(scratch),
    gpus: await countGpus(),
    os: `${osType()} ${release()}`.slice(0, 200),
  };
  try {
    const { cpu, os } = process.platform === "linux" ? await namesOnLinux() : await namesElsewhere();
    return { ...plain, cpu: cpu?.slice(0, 200) || plain.cpu, os: os.trim().slice(0, 200) || plain.os };
  } catch (error) {
    log.warn("Could not read the machine's details", { error });
    return plain;
  }
};

type Names = { readonly cpu?: string; readonly os: string };

/** One small file: the library starts fifteen programs and makes every child of this process dearer. */
const namesOnLinux = async (): Promise<Names> => {
  const { NAME = "", VERSION_ID = "" } = parseEnv(await readFile("/etc/os-release", "utf8"));
  return { os: `${NAME} ${VERSION_ID}` };
};

const namesElsewhere = async (): Promise<Names> => {
  const { default: systeminformation } = await import("systeminformation");
  const [cpu, os] = await Promise.all([systeminformation.cpu(), systeminformation.osInfo()]);
  return { cpu: `${cpu.manufacturer} ${cpu.brand}`.trim(), os: `${os.distro} ${os.release}` };
};

/** Bytes that are free on the folder's disk. */
export const freeSpace = async (folder: string): Promise<number | undefined> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return undefined; // unknown space is not counted
  }
};

/** Counts the devices that Linux lists. Elsewhere unknown, which counts as none. */
const countGpus = async (): Promise<number | undefined> => {
  if (process.platform !== "linux") return undefined;
  const own = (await namesIn("/dev")).filter((name) => /^nvidia\d+$/.test(name));
  const rendering = (await namesIn("/dev/dri")).filter((name) => /^renderD\d+$/.test(name));
  return Math.max(own.length, rendering.length);
};

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []); // no such folder, no such device
