import { cpuMsOf } from "../process/usage.ts";

/**
 * Sums the processor time of the farm's programs, including those that have ended, as far as they were observed. On
 * systems that do not report it, it is known only while none runs.
 */
export const createFarmTime = (
  pids: () => readonly number[],
  cpuOf: (pid: number) => number | undefined = cpuMsOf,
  isTold = process.platform === "linux",
) => {
  const seen = new Map<number, number>();
  let totalMs = 0;
  return (): number | undefined => {
    const running = pids();
    if (!isTold && running.length > 0) return undefined;
    for (const pid of seen.keys()) if (!running.includes(pid)) seen.delete(pid);
    for (const pid of running) {
      const now = cpuOf(pid);
      if (now === undefined) continue;
      totalMs += Math.max(0, now - (seen.get(pid) ?? 0));
      seen.set(pid, now);
    }
    return totalMs;
  };
};
