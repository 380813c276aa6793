import { createHash } from "node:crypto";
import { watchUnheard } from "./engine/unheard.ts";
import { explain } from "./explain.ts";
import { count, linesOf, newTotals } from "./report.ts";
import { commandOf, shrink } from "./shrink.ts";
import { replaceGlobals } from "./system/globals.ts";
import { loadThreads } from "./system/threads.ts";
import type { Choice } from "./world/settings.ts";
import { type Outcome, simulate } from "./world/story.ts";

export type Wanted = {
  readonly choices: Iterable<Choice>;
  readonly explains: boolean;
  readonly shrinks: boolean;
  /** Ends after the first seed that fails. */
  readonly stops: boolean;
  /** Begins no other seed after so much processor time, in milliseconds. */
  readonly budgetMs: number;
  /** Prints a line for each seed. */
  readonly isSpoken: boolean;
  /** Prints every line of the journal. */
  readonly tells: boolean;
};

const threads = [
  "coordinator/connections/message-worker.ts",
  "coordinator/jobs/read-job-worker.ts",
  "agent/foreign/foreign-worker.ts",
];

/** Makes this process ready to simulate: called once. */
export const prepare = async (): Promise<void> => {
  replaceGlobals();
  watchUnheard();
  await loadThreads(threads.map((each) => new URL(`../../${each}`, import.meta.url).href));
};

/** Runs the seeds, prints what came of them, and gives the exit code. */
export const simulateAll = async (wanted: Wanted): Promise<number> => {
  await prepare();
  const totals = newTotals();
  const hash = createHash("sha256");
  const cpuMs = () => process.cpuUsage().user / 1000;
  const began = cpuMs();
  for (const choice of wanted.choices) {
    if (cpuMs() - began > wanted.budgetMs) break;
    const outcome = await simulate(choice, wanted.explains || wanted.tells);
    count(totals, outcome);
    if (wanted.isSpoken) console.log(`seed ${choice.seed}: ${outcome.events} events, ${outcome.hash.slice(0, 16)}, ${Math.round(cpuMs() - began)} ms`);
    hash.update(outcome.hash);
    if (wanted.tells) for (const each of outcome.world.journal.lines()) console.log(...Object.values(each));
    if (outcome.violations.length === 0) continue;
    await tellFailure(outcome, wanted);
    if (wanted.stops) break;
  }
  for (const line of linesOf(totals, cpuMs() - began)) console.log(line);
  if (totals.failed.length > 0) console.log(`failed seeds: ${totals.failed.join(", ")}`);
  console.log(`hash ${hash.digest("hex")}`);
  return totals.violations > 0 ? 1 : 0;
};

const tellFailure = async (outcome: Outcome, { explains, shrinks }: Wanted): Promise<void> => {
  console.log(`VIOLATION: ${commandOf(outcome.choice)}`);
  for (const { name, what, at } of outcome.violations) console.log(`  at ${(at / 1000).toFixed(3)} s: ${name}: ${what}`);
  if (explains) for (const line of explain(outcome)) console.log(line);
  const [first] = outcome.violations;
  if (shrinks && first) console.log(`smallest: ${commandOf(await shrink(outcome.choice, first.name, console.log))}`);
};
