import { parseArgs } from "node:util";
import { latestSwarm } from "../choice.ts";
import { replaceModules } from "../loader/hooks.ts";
import { mutants } from "./mutants.ts";

/**
 * `node test/simulation/mutants/run.ts --mutant N [--seed N] [--seeds N] [--faults M] [--seconds S]` simulates farms with one
 * line of the product exchanged, until an invariant is violated. Seeds take turns among the swarms: the older ones have
 * fewer kinds of jobs and faults, and so meet each of them more often. Where the mutant names a kind of fault, every second
 * round of seeds has that kind alone. Exits with 0 if the simulation found it.
 */
const { values } = parseArgs({
  options: {
    mutant: { type: "string" },
    seed: { type: "string", default: "1" },
    seeds: { type: "string", default: "100000" },
    faults: { type: "string", default: "15" },
    seconds: { type: "string", default: "120" },
  },
});
const mutant = mutants[Number(values.mutant)];
if (!mutant) throw new Error(`--mutant is a number below ${mutants.length}`);
replaceModules(mutant);
const { findViolation } = await import("../simulate.ts");
const { faultsOf } = await import("../world/faults.ts");
const { aim, coordinators = 1, since = 1 } = mutant;
const hasAim = (swarm: number) => aim !== undefined && faultsOf({ swarm, coordinators, only: aim }).length > 0;
if (aim !== undefined && !hasAim(latestSwarm)) throw new Error(`There is no fault "${aim}"`);
const first = Number(values.seed);
const found = await findViolation(
  Array.from({ length: Number(values.seeds) }, (_, nr) => {
    const swarms = latestSwarm - since + 1;
    const swarm = since + (nr % swarms);
    const isAimed = Math.floor(nr / swarms) % 2 === 0 && hasAim(swarm);
    return {
      ...{ seed: first + nr, faults: Number(values.faults), swarm },
      ...(isAimed && aim !== undefined && { only: aim }),
      ...(mutant.coordinators !== undefined && { coordinators: mutant.coordinators }),
    };
  }),
  Number(values.seconds) * 1000,
);
const { seeds, cpuMs, violation } = found;
const cost = `after ${seeds} seeds and ${(cpuMs / 1000).toFixed(1)} s of one processor`;
console.log(
  violation
    ? `FOUND by seed ${first + seeds - 1} ${cost}: ${mutant.name}: ${violation.name}: ${violation.what.split("\n")[0]}`
    : `SURVIVED ${cost}: ${mutant.name}`,
);
process.exitCode = violation ? 0 : 1;
