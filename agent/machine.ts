import { readdir, statfs } from "node:fs/promises";
import { availableParallelism, cpus, type as osType, release, totalmem } from "node:os";
import systeminformation from "systeminformation";
import type { Hello } from "../shared/protocol.ts";
import type { Log } from "./log.ts";

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
    const [cpu, os] = await Promise.all([systeminformation.cpu(), systeminformation.osInfo()]);
    const model = `${cpu.manufacturer} ${cpu.brand}`.trim().slice(0, 200);
    const system = `${os.distro} ${os.release}`.trim().slice(0, 200);
    return { ...plain, cpu: model || plain.cpu, os: system || plain.os };
  } catch (error) {
    log.warn("Could not read the machine's details", { error });
    return plain;
  }
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
