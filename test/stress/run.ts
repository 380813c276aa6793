import { parseArgs } from "node:util";
import { runStorm } from "./storm.ts";

const usage = `Usage: npm run stress -- [--nodes N] [--jobs N] [--kills N] [--seconds N] [--seed N]`;

/** A storm by hand: exit 0 when nothing happened that never should. */
const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      nodes: { type: "string", default: "1000" },
      jobs: { type: "string", default: "5000" },
      kills: { type: "string", default: "3" },
      seconds: { type: "string", default: "60" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    },
  });
  const [nodes, jobs, kills, seconds, seed] = [
    values.nodes,
    values.jobs,
    values.kills,
    values.seconds,
    values.seed,
  ].map(Number) as [number, number, number, number, number]; // as many as there are flags
  if (![nodes, jobs, kills, seconds, seed].every(Number.isInteger)) {
    console.error(usage);
    return 2;
  }
  const begun = performance.now();
  const say = (text: string) => console.error(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${text}`);
  say(`${nodes} nodes, ${jobs} jobs, seed ${seed}`);
  const { violations, counts } = await runStorm({
    ...{ seed, nodes, jobs, kills, say },
    stormMs: seconds * 1000,
    calmMs: Math.max(120, seconds * 4) * 1000,
  });
  for (const [what, count] of Object.entries(counts)) console.log(`${String(count).padStart(9)}  ${what}`);
  for (const violation of violations) console.log(`VIOLATION  ${violation}`);
  say(violations.length === 0 ? "every invariant holds" : `${violations.length} violations`);
  return violations.length === 0 ? 0 : 1;
};

process.exit(await main());
