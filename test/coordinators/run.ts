import { parseArgs } from "node:util";
import { postgresLacks } from "../servers/postgres.ts";
import { type ChaosResult, runChaos } from "./chaos.ts";
import { isClean, reportOf } from "./report.ts";

const usage = "Usage: npm run chaos -- [--seeds 1,2,3] [--faults N] [--only WORDS]";

/**
 * Chaos with three coordinators by hand, seed after seed; exit 0 when nothing happened that never should. SIGTERM ends it
 * after the fault that is under way, with the audit of all that there were.
 */
const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1,2,3" },
      faults: { type: "string", default: "100" },
      only: { type: "string" },
    },
  });
  const [seeds, faults] = [values.seeds.split(",").map(Number), Number(values.faults)];
  if (![...seeds, faults].every(Number.isInteger)) {
    console.error(usage);
    return 2;
  }
  const lacks = postgresLacks();
  if (lacks) {
    console.error(lacks);
    return 2;
  }
  const results: ChaosResult[] = [];
  let isEnough = false;
  process.once("SIGTERM", () => {
    isEnough = true;
  });
  for (const seed of seeds) {
    if (isEnough) break;
    const say = (text: string) => console.error(`seed ${seed}: ${text}`);
    const result = await runChaos({ seed, faults, only: values.only, say, isEnough: () => isEnough });
    results.push(result);
    for (const [what, found] of Object.entries(result.findings))
      for (const each of found.slice(0, 20)) console.log(`${what.toUpperCase()}  seed ${seed}: ${each}`);
  }
  for (const line of reportOf(results)) console.log(line);
  return results.every(isClean) ? 0 : 1;
};

process.exit(await main());
