import { readFileSync } from "node:fs";
import type { Clock } from "../../shared/basics/clock.ts";

/** Processor time in milliseconds, and the peak of its memory in bytes. */
export type Usage = { readonly cpuMs?: number; readonly peakMemory?: number };

const firstMs = 100;
const sampleMs = 1000;
const msPerTick = 10; // Linux tells user space 100 ticks a second, whatever the kernel was built with

/**
 * Samples a child's processor time and peak memory while it runs, because the kernel forgets them when it ends. The
 * time after the last sample (all of it, for a very short child) comes from the total that the kernel keeps for this
 * process's ended children. Linux only.
 */
export const watchUsage = (pid: number, clock: Clock): { ended(): void; stop(): Usage } => {
  if (process.platform !== "linux") return { ended: () => undefined, stop: () => ({}) };
  let latest: Usage = {};
  chargedMs ??= readCharged();
  const sample = (): void => {
    latest = { ...latest, ...readUsage(pid) };
  };
  const timers = [clock.after(firstMs, sample), clock.every(sampleMs, sample)];
  return {
    /** Call it as soon as the child has ended. If two end at the same moment, the first is charged for both. */
    ended: () => {
      const charged = readCharged();
      const cpuMs = Math.max(latest.cpuMs ?? 0, charged - (chargedMs ?? charged));
      chargedMs = charged;
      latest = { ...latest, cpuMs };
    },
    stop: () => {
      for (const cancel of timers) cancel();
      return latest;
    },
  };
};

/** Processor time of all children that have ended so far. */
let chargedMs: number | undefined;

/** Fields 16 and 17 (cutime and cstime) of this process. */
const readCharged = (): number => {
  try {
    const fields = fieldsOf(readFileSync("/proc/self/stat", "utf8"));
    return (Number(fields[13]) + Number(fields[14])) * msPerTick;
  } catch {
    return 0; // no such file in this system's sandbox
  }
};

/** Read at once: /proc is memory, while each step of a reading that waits costs more than the whole of this. */
const readUsage = (pid: number): Usage => {
  try {
    const [stat, status] = [readFileSync(`/proc/${pid}/stat`, "utf8"), readFileSync(`/proc/${pid}/status`, "utf8")];
    return { ...cpuOf(stat), ...memoryOf(status) };
  } catch {
    return {}; // the process ended between two samples
  }
};

/** Processor time of a program that runs, as far as this system tells. */
export const cpuMsOf = (pid: number): number | undefined => readUsage(pid).cpuMs;

/** User and system time are fields 14 and 15; the name in field 2 may hold spaces, so counting starts behind it. */
const cpuOf = (stat: string): Usage => {
  const fields = fieldsOf(stat);
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? { cpuMs: ticks * msPerTick } : {};
};

const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(")") + 2).split(" ");

const memoryOf = (status: string): Usage => {
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? {} : { peakMemory: Number(kilobytes) * 1024 };
};
