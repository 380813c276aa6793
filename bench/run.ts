import { parseArgs } from "node:util";
import { analyses } from "./analyses.ts";
import { chatter } from "./chatter.ts";
import { choice } from "./choice.ts";
import { copies } from "./copies.ts";
import { cycle } from "./cycle.ts";
import { dispatch } from "./dispatch.ts";
import { estimates } from "./estimates.ts";
import { farmOverhead } from "./farm-overhead.ts";
import { firstLoad } from "./first-load.ts";
import { frames } from "./frames.ts";
import { growth } from "./growth.ts";
import { type Bench, type Line, lineOf, tableOf } from "./harness.ts";
import { ladder } from "./ladder.ts";
import { lists } from "./lists.ts";
import { longTranscode } from "./long-transcode.ts";
import { pageMemory } from "./page-memory.ts";
import { shortTasks } from "./short-tasks.ts";
import { submit } from "./submit.ts";
import { submitPostgres } from "./submit-postgres.ts";

const benches: readonly Bench[] = [
  farmOverhead,
  shortTasks,
  dispatch,
  chatter,
  longTranscode,
  ladder,
  analyses,
  copies,
  lists,
  submit,
  submitPostgres,
  choice,
  cycle,
  growth,
  estimates,
  frames,
  firstLoad,
  pageMemory,
];

const usage = `Usage: npm run bench -- [--quick] [--pairs N] [--json] [--only NAME]...
Benches: ${benches.map(({ name }) => name).join(", ")}`;

/** Runs the benches one after the other; a table at the end, or with --json one document a line on stdout. */
const main = async (): Promise<number> => {
  const { quick, json, only, pairs } = readFlags();
  const unknown = only.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(", ")}\n${usage}`);
    return 2;
  }
  const lines: Line[] = [];
  for (const { name, run } of benches) {
    if (only.length > 0 && !only.includes(name)) continue;
    const say = (text: string) => console.error(`${name}: ${text}`);
    const found = (
      await run({ isQuick: quick, pairs: pairs === undefined ? undefined : Math.max(1, Number(pairs)), say })
    ).map((measure) => lineOf(name, measure));
    if (json) for (const line of found) console.log(JSON.stringify(line));
    lines.push(...found);
  }
  if (!json) console.log(tableOf(lines));
  // A quick run proves nothing, neither way.
  return !quick && lines.some(({ isRegression }) => isRegression) ? 1 : 0;
};

const readFlags = () => {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: "boolean", default: false },
        pairs: { type: "string" },
        json: { type: "boolean", default: false },
        only: { type: "string", multiple: true, default: [] },
      },
    });
    return values;
  } catch (problem) {
    console.error(`${problem instanceof Error ? problem.message : problem}\n${usage}`);
    process.exit(2);
  }
};

process.exitCode = await main();
