import { parseArgs } from "node:util";
import { replaceModules } from "./loader/hooks.ts";

/**
 * `npm run simulate -- [--seed N] [--seeds N] [--faults M]` runs farms in this process, on simulated time, network and
 * disks. The same seed gives the same hash. Exits with 1 if an invariant was violated.
 */
const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1" },
    faults: { type: "string", default: "20" },
    explain: { type: "boolean", default: false },
  },
});
replaceModules();
const { simulateSeeds } = await import("./simulate.ts");
const first = Number(values.seed ?? Date.now() % 1e6);
process.exitCode = await simulateSeeds({
  ...{ first, count: Number(values.seeds), faults: Number(values.faults), explains: values.explain },
});
