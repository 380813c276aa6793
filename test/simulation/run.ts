import { parseArgs } from "node:util";
import { replaceModules } from "./loader/hooks.ts";

/**
 * `npm run simulate -- [--seed N] [--seeds N] [--faults M] [--seconds S] [--explain] [--shrink] [--tell] [--each] [--stop]` runs farms in this
 * process, on simulated time, network, disks and programs. A seed gives the same hash each time. `--without` and
 * `--without-jobs` leave out faults and jobs by their numbers. Exits with 1 if an invariant was violated.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1" },
    faults: { type: "string", default: "20" },
    seconds: { type: "string", default: "Infinity" },
    without: { type: "string", default: "" },
    "without-jobs": { type: "string", default: "" },
    explain: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
    each: { type: "boolean", default: false },
    stop: { type: "boolean", default: false },
  },
});
const numbersIn = (text: string): number[] => text.split(",").filter(Boolean).map(Number);

const first = Number(values.seed ?? Date.now() % 1e6);
const choices = Array.from({ length: Number(values.seeds) }, (_, nr) => ({
  seed: first + nr,
  faults: Number(values.faults),
  without: numbersIn(values.without),
  withoutJobs: numbersIn(values["without-jobs"]),
}));
replaceModules();
const { simulateAll } = await import("./simulate.ts");
process.exitCode = await simulateAll({
  ...{ choices, explains: values.explain, shrinks: values.shrink, tells: values.tell, stops: values.stop },
  isSpoken: values.each,
  budgetMs: Number(values.seconds) * 1000,
});
