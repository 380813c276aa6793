import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const msPerTick = 10; // Linux tells user space 100 ticks a second, whatever the kernel was built with

/** Processor time of a process, its children left out. */
export const cpuMsOf = (pid: number): number => ticksOf(pid, 11, 12) * msPerTick;

/** Processor time of a process's children that have ended, with theirs. */
export const childrenCpuMs = (pid: number | "self" = "self"): number => ticksOf(pid, 13, 14) * msPerTick;

/** Processor time of one `node -e 0`, from enough of them that a tick more or less does not show. */
export const cpuMsOfEmptyNode = (): number => {
  const times = 20;
  const before = childrenCpuMs();
  for (let n = 0; n < times; n++) spawnSync(process.execPath, ["-e", "0"]);
  return (childrenCpuMs() - before) / times;
};

/** Fields are counted behind the name in brackets, which may hold spaces. */
const ticksOf = (pid: number | "self", ...fields: number[]): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const all = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.reduce((sum, field) => sum + Number(all[field]), 0);
};
