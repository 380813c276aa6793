import { replaceGlobals } from "./system/globals.ts";
import { loadThreads } from "./system/threads.ts";
import { LifeIsOver } from "./engine/life.ts";
import { type Outcome, simulate } from "./world/story.ts";

export type Wanted = { readonly first: number; readonly count: number; readonly faults: number; readonly explains: boolean };

const threads = ["coordinator/connections/message-worker.ts", "coordinator/jobs/read-job-worker.ts", "agent/foreign/foreign-worker.ts"];

/** Runs the seeds, prints what came of them, and gives the exit code. */
export const simulateSeeds = async ({ first, count, faults, explains }: Wanted): Promise<number> => {
  replaceGlobals();
  await loadThreads(threads.map((each) => new URL(`../../${each}`, import.meta.url).href));
  process.on("unhandledRejection", (problem) => {
    if (!(problem instanceof LifeIsOver)) console.log("UNHEARD", problem);
  });
  const began = process.cpuUsage().user / 1000;
  let failed = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const outcome = await simulate(seed, faults, explains);
    if (outcome.violations.length > 0) failed += 1;
    print(outcome, process.cpuUsage().user / 1000 - began);
    if (explains) for (const { at, who, kind, what } of outcome.world.journal.lines()) console.log(at.toFixed(2), who, kind, what);
  }
  return failed > 0 ? 1 : 0;
};

const print = ({ seed, violations, faults, world, simulatedMs, events, checks, hash }: Outcome, ms: number): void => {
  console.log(`seed ${seed}: ${[...faults.values()].reduce((a, b) => a + b, 0)} faults, ${Math.round(simulatedMs / 1000)} s, ${events} events, ${checks} checks, ${Math.round(ms)} ms`);
  console.log([...world.journal.counts].map(([k, n]) => `${k} ${n}`).join(", "));
  for (const { name, what, at } of violations) console.log(`VIOLATION at ${at.toFixed(1)}: ${name}: ${what}`);
  console.log(`hash ${hash}`);
};
