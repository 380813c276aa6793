import { parseArgs } from "node:util";
import { latestSwarm } from "./choice.ts";
import { replaceModules } from "./loader/hooks.ts";

/**
 * `npm run simulate -- [--seed N] [--seeds N] [--faults M] [--seconds S] [--explain] [--shrink] [--tell] [--each] [--stop]`
 * runs farms in this process, on simulated time, network, disks and programs, and prints a table of what was done to
 * them. `--seeds 100` takes so many from `--seed` on, `--seeds 200-299` these ones. A seed gives the same hash each time.
 * `--without` and `--without-jobs` leave out faults and jobs by their numbers, `--swarm` those kinds of them that are
 * newer. `--coordinators N` gives each farm two coordinators or more, up to N, that share a store and take over from each
 * other. An interrupt (SIGINT) ends it after the seed that it is at, with its table. `--only KIND` has faults of one kind
 * alone, `--harmless` none that does anything. Exits with 1 if an invariant was violated.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1" },
    faults: { type: "string", default: "20" },
    seconds: { type: "string", default: "Infinity" },
    without: { type: "string", default: "" },
    "without-jobs": { type: "string", default: "" },
    swarm: { type: "string", default: String(latestSwarm) },
    coordinators: { type: "string" },
    explain: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
    each: { type: "boolean", default: false },
    stop: { type: "boolean", default: false },
    only: { type: "string" },
    harmless: { type: "boolean", default: false },
  },
});
const numbersIn = (text: string): number[] => text.split(",").filter(Boolean).map(Number);

const seedsOf = (): { readonly first: number; readonly count: number } => {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(values.seeds) ?? [];
  if (from !== undefined && to !== undefined) return { first: Number(from), count: Number(to) - Number(from) + 1 };
  return { first: Number(values.seed ?? Date.now() % 1e6), count: Number(values.seeds) };
};

const { first, count } = seedsOf();
const choices = Array.from({ length: count }, (_, nr) => ({
  seed: first + nr,
  swarm: Number(values.swarm),
  faults: Number(values.faults),
  without: numbersIn(values.without),
  withoutJobs: numbersIn(values["without-jobs"]),
  ...(values.only !== undefined && { only: values.only }),
  isHarmless: values.harmless,
  ...(values.coordinators !== undefined && { coordinators: Number(values.coordinators) }),
}));
replaceModules();
const { simulateAll } = await import("./simulate.ts");
process.exitCode = await simulateAll({
  ...{ choices, explains: values.explain, shrinks: values.shrink, tells: values.tell, stops: values.stop },
  isSpoken: values.each,
  budgetMs: Number(values.seconds) * 1000,
});
