import { createHash } from "node:crypto";
import { type Choice, commandOf } from "./choice.ts";
import { watchUnheard } from "./engine/unheard.ts";
import { explain } from "./explain.ts";
import { count, linesOf, newTotals } from "./report.ts";
import { shrink } from "./shrink.ts";
import { replaceGlobals } from "./system/globals.ts";
import { loadThreads } from "./system/threads.ts";
import { type Outcome, simulate } from "./world/story.ts";
import type { Violation } from "./world/world.ts";

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
  const isInterrupted = hearInterrupt();
  const isOver = () => isInterrupted() || cpuMs() - began > wanted.budgetMs;
  for (const choice of wanted.choices) {
    if (isOver()) break;
    const outcome = await simulate(choice, wanted.explains || wanted.tells);
    count(totals, outcome);
    if (wanted.isSpoken)
      console.log(
        `seed ${choice.seed}: ${outcome.events} events, ${outcome.hash.slice(0, 16)}, ${Math.round(cpuMs() - began)} ms`,
      );
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

const hearInterrupt = (): (() => boolean) => {
  let isHeard = false;
  process.once("SIGINT", () => {
    isHeard = true;
  });
  return () => isHeard;
};

const tellFailure = async (outcome: Outcome, { explains, shrinks }: Wanted): Promise<void> => {
  console.log(`VIOLATION: ${commandOf(outcome.choice)}`);
  for (const { name, what, at } of outcome.violations)
    console.log(`  at ${(at / 1000).toFixed(3)} s: ${name}: ${what}`);
  if (explains) for (const line of explain(outcome)) console.log(line);
  const [first] = outcome.violations;
  if (shrinks && first) console.log(`smallest: ${commandOf(await shrink(outcome.choice, first.name, console.log))}`);
};

/** The first violation of these seeds, if there is one before so much processor time is spent. */
export const findViolation = async (choices: readonly Choice[], budgetMs: number) => {
  await prepare();
  const cpuMs = () => process.cpuUsage().user / 1000;
  const began = cpuMs();
  let seeds = 0;
  for (const choice of choices) {
    if (cpuMs() - began > budgetMs) break;
    seeds += 1;
    const [violation] = await violationsOf(choice);
    if (violation) return { seeds, cpuMs: cpuMs() - began, violation };
  }
  return { seeds, cpuMs: cpuMs() - began, violation: undefined };
};

/** A product that throws where nobody catches it breaks the simulation too: that is a violation. */
const violationsOf = async (choice: Choice): Promise<readonly Violation[]> => {
  try {
    return (await simulate(choice)).violations;
  } catch (problem) {
    return [{ name: "no program breaks", what: String(problem), at: 0 }];
  }
};
