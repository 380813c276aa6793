import { cpus, freemem, totalmem } from "node:os";
import type { Clock } from "../../shared/basics/clock.ts";

type Busy = { readonly at: number; readonly busyMs: number; readonly totalMs: number; readonly farmMs: number };

export type Load = {
  /** Busy share of all cores since the last check. */
  readonly cpu: number;
  /** The share that the farm's programs used; undefined if unknown. */
  readonly farmCpu?: number;
  /** The share of everything else over the last minute. */
  readonly othersLoad?: number;
  readonly memoryUsed: number;
  readonly memory: number;
};

/** A single busy second does not mean that somebody works. */
const spanMs = 60_000;
/** Cores count their time in hundredths of a second: shorter intervals give no meaningful share. */
const leastMs = 500;

export type LoadNeeds = {
  readonly clock: Clock;
  /** Processor time of the farm's programs so far; undefined if unknown. */
  readonly farmMs: () => number | undefined;
  readonly cores?: () => readonly { readonly times: Readonly<Record<string, number>> }[];
};

/** Measures how busy the machine is, and how much of that the owner causes. */
export const createLoadMeter = ({ clock, farmMs, cores = cpus }: LoadNeeds) => {
  const seen: Busy[] = [];
  let last: Load | undefined;
  return (): Load | undefined => {
    const farm = farmMs();
    const now: Busy = { at: clock.monotonic(), ...coreTimes(cores()), farmMs: farm ?? 0 };
    const before = seen.at(-1);
    if (farm === undefined) seen.length = 0; // the time counted meanwhile cannot be attributed
    if (before && now.totalMs - before.totalMs < leastMs) return last;
    seen.push(now);
    while (seen[1] && now.at - seen[1].at >= spanMs) seen.shift();
    const first = seen[0] ?? now;
    if (!before) return last;
    const recent = shareOf(before, now);
    const minute = shareOf(first, now);
    last = {
      cpu: recent.all,
      ...(farm !== undefined && { farmCpu: Math.min(recent.all, recent.farm) }),
      ...(farm !== undefined && now.at - first.at >= spanMs / 2 && { othersLoad: clamp(minute.all - minute.farm) }),
      memoryUsed: totalmem() - freemem(),
      memory: totalmem(),
    };
    return last;
  };
};

const coreTimes = (cores: ReturnType<NonNullable<LoadNeeds["cores"]>>) => {
  const totalMs = cores.reduce((sum, { times }) => sum + Object.values(times).reduce((all, each) => all + each, 0), 0);
  const idleMs = cores.reduce((sum, { times }) => sum + (times.idle ?? 0), 0);
  return { totalMs, busyMs: totalMs - idleMs };
};

const shareOf = (from: Busy, to: Busy) => {
  const totalMs = to.totalMs - from.totalMs;
  return { all: clamp((to.busyMs - from.busyMs) / totalMs), farm: clamp((to.farmMs - from.farmMs) / totalMs) };
};

const clamp = (share: number): number => (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0);
