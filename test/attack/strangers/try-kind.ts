import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { kinds } from "./kinds.ts";
import { percentile, residentOf, type Submitter, submitFor } from "./measure.ts";
import type { World } from "./world.ts";

/** What one kind of attacker did to another user's submits, and to the coordinator. */
export type Outcome = {
  readonly kind: KindName;
  readonly quietMs: number;
  readonly underMs: number;
  /** Median. */
  readonly quietHalfMs: number;
  readonly underHalfMs: number;
  /** Megabytes beyond those of the quiet farm, at most. */
  readonly grew: number;
  /** Milliseconds after the end until submits took as long as before. */
  readonly recoveredMs: number;
};

export type Victim = {
  readonly world: World;
  readonly submitter: Submitter;
  /** Submits to a quiet farm on the same machine, which is as busy for both. */
  readonly control: Submitter;
  readonly pid: () => number;
};

export const tryKind = async (
  kind: KindName,
  { world, submitter, control, pid }: Victim,
  ms: number,
): Promise<Outcome> => {
  const before = residentOf(pid());
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentOf(pid()));
  }, 100);
  const attacker = spawn(process.execPath, [join(import.meta.dirname, "attacker.ts"), kind, JSON.stringify(world)], {
    stdio: "ignore",
  });
  const gone = once(attacker, "exit");
  await pause(2000); // it is loaded, and its connections are open
  const [under, quiet] = await Promise.all([submitFor(submitter, ms), submitFor(control, ms)]);
  attacker.kill("SIGKILL");
  await gone;
  const recoveredMs = await untilAsBefore(submitter, control, percentile(quiet, 0.99));
  clearInterval(watch);
  return {
    kind,
    quietMs: percentile(quiet, 0.99),
    underMs: percentile(under, 0.99),
    quietHalfMs: percentile(quiet, 0.5),
    underHalfMs: percentile(under, 0.5),
    grew: most - before,
    recoveredMs,
  };
};

/** Until twenty submits in a row took no longer than three times the quiet farm's; a minute at most. */
const untilAsBefore = async ({ submit }: Submitter, control: Submitter, usual: number): Promise<number> => {
  const begun = performance.now();
  const timed = (one: () => Promise<number>) => one().catch(() => Number.POSITIVE_INFINITY);
  let good = 0;
  let since = begun;
  while (good < 20 && performance.now() - begun < 60_000) {
    const [took, quiet] = await Promise.all([timed(submit), timed(control.submit)]);
    if (took <= 3 * Math.max(usual, Number.isFinite(quiet) ? quiet : 0)) good += 1;
    else [good, since] = [0, performance.now()];
  }
  return since - begun;
};

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[]; // Object.keys forgets the literal names
