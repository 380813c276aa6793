import { isUnavailable } from "../shared/basics/errors.ts";
import { reserveNodes } from "./attempts/assign.ts";
import { wakeDelayed } from "./attempts/failed-attempts.ts";
import { giveUpLostNodes } from "./attempts/lost-nodes.ts";
import { endOverdue } from "./attempts/overdue-attempts.ts";
import { simulate } from "./attempts/simulated-tasks.ts";
import { failUnservable } from "./attempts/unservable-tasks.ts";
import type { Farm } from "./farm.ts";
import { maintain } from "./files/sweeper.ts";
import { startDueJobs } from "./jobs/pause.ts";
import { expireJobs } from "./jobs/stop.ts";
import { writeProgress } from "./jobs/stored-progress.ts";
import { keepTime } from "./keep-time.ts";
import type { Kernel } from "./kernel/kernel.ts";
import { recordDowntimes } from "./nodes/downtime-watch.ts";
import { endQuarantines } from "./nodes/health/health.ts";
import { noteLostNodes } from "./nodes/lost-nodes.ts";
import { createNodePublisher } from "./nodes/node-info.ts";
import { forgetOldFacts } from "./planning/old-facts.ts";
import { pollDue } from "./watch/polling.ts";
import { dropUnusedWatches } from "./watch/watched-files.ts";

export type Duty = {
  readonly name: string;
  /** How many ticks (`tickMs` of the configuration) pass from one time to the next. */
  readonly ticks: number;
  readonly run: () => unknown;
};

/** What only depends on time: retries come due, silent nodes are lost, waits end, jobs expire. */
export const farmDuties = (farm: Farm): Duty[] => [
  { name: "publish nodes", ticks: 1, run: createNodePublisher(farm) },
  { name: "write what nobody waits for", ticks: 1, run: () => farm.change([], () => undefined) },
  { name: "refresh records", ticks: 1, run: () => farm.refreshRecords() },
  { name: "wake delayed tasks", ticks: 1, run: () => wakeDelayed(farm) },
  { name: "poll sources and folders", ticks: 1, run: () => pollDue(farm) },
  { name: "drop unused watches", ticks: 10, run: () => dropUnusedWatches(farm) },
  { name: "start scheduled jobs", ticks: 1, run: () => startDueJobs(farm) },
  { name: "simulate tasks", ticks: 1, run: () => simulate(farm) },
  { name: "give up lost nodes", ticks: 1, run: () => giveUpLostNodes(farm) },
  { name: "note lost nodes", ticks: 1, run: () => noteLostNodes(farm) },
  { name: "end overdue attempts", ticks: 1, run: () => endOverdue(farm) },
  { name: "end quarantines", ticks: 1, run: () => endQuarantines(farm) },
  { name: "fail unservable tasks", ticks: 1, run: () => failUnservable(farm) },
  { name: "reserve nodes", ticks: 1, run: () => reserveNodes(farm) },
  { name: "expire jobs", ticks: 1, run: () => expireJobs(farm) },
  { name: "maintain the store", ticks: 1, run: () => maintain(farm) },
  { name: "forget old facts", ticks: 1, run: () => forgetOldFacts(farm) },
  { name: "write the audit", ticks: 1, run: () => farm.trail.flush() },
  { name: "keep the time", ticks: 1, run: () => keepTime(farm) },
  { name: "record downtimes", ticks: 1, run: () => recordDowntimes(farm) },
  { name: "store progress", ticks: 1, run: () => writeProgress(farm) },
  // For example beginnings and claims that failed on a full disk.
  { name: "try again what failed", ticks: 1, run: () => farm.wake() },
];

/** A duty that keeps failing is logged once in this time. */
const quietMs = 60_000;

/**
 * Does each duty when it is due. A duty that fails or hangs holds up no other one, and none overlaps itself. Returns
 * what ends them: it resolves when those that are under way have ended.
 */
export const startDuties = (
  { clock, config, log, timeSlice }: Pick<Kernel, "clock" | "config" | "log" | "timeSlice">,
  duties: readonly Duty[],
): (() => Promise<void>) => {
  const running = new Map<Duty, Promise<void>>();
  const quietUntil = new Map<Duty, number>();
  let tick = 0;

  const complain = (duty: Duty, problem: unknown): void => {
    if (clock.monotonic() < (quietUntil.get(duty) ?? 0)) return;
    quietUntil.set(duty, clock.monotonic() + quietMs);
    const about = { err: problem, duty: duty.name };
    if (isUnavailable(problem)) log.warn(about, `a duty could not be done, and is tried again: ${duty.name}`);
    else log.error(about, `a duty failed: ${duty.name}`);
  };
  const perform = async (duty: Duty): Promise<void> => {
    try {
      await timeSlice(duty.run); // all of them in one turn of the loop would hold up requests
    } catch (problem) {
      complain(duty, problem);
    }
    running.delete(duty);
  };
  const stop = clock.every(config.tickMs, () => {
    tick += 1;
    for (const duty of duties) if (tick % duty.ticks === 0 && !running.has(duty)) running.set(duty, perform(duty));
  });
  return async () => {
    stop();
    await Promise.all(running.values());
  };
};
