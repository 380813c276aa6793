import { availableParallelism, cpus, type as osType, release, totalmem } from "node:os";
import systeminformation from "systeminformation";
import type { Hello } from "../shared/protocol.ts";
import type { Log } from "./log.ts";

/** What the machine is, for people to read. Where it cannot be asked in full, what Node knows is enough. */
export const readMachine = async (log: Log): Promise<Hello["machine"]> => {
  const plain = {
    cpu: (cpus()[0]?.model ?? "unknown").slice(0, 200),
    cores: availableParallelism(),
    memory: totalmem(),
    os: `${osType()} ${release()}`.slice(0, 200),
  };
  try {
    const [cpu, os] = await Promise.all([systeminformation.cpu(), systeminformation.osInfo()]);
    const model = `${cpu.manufacturer} ${cpu.brand}`.trim().slice(0, 200);
    const system = `${os.distro} ${os.release}`.trim().slice(0, 200);
    return { ...plain, cpu: model || plain.cpu, os: system || plain.os };
  } catch (error) {
    log.warn("The machine's details cannot be read", { error });
    return plain;
  }
};
