import { parseArgs } from "node:util";
import { mutants } from "./nodes/mutants.ts";
import { tryMutant } from "./nodes/try-mutant.ts";

/**
 * `node test/attack/run-mutants.ts [--seed N] [--tries N] [NAME…]` takes one check after the other out of a copy of the
 * program, and runs the kit of lying nodes on it. Exits with 1 if the kit holds without one of them, or falls with all.
 */
const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, tries: { type: "string", default: "60" } },
  allowPositionals: true,
});
const setting = { seed: Number(values.seed), tries: Number(values.tries) };
const chosen = mutants.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const whole = await tryMutant(undefined, setting);
console.log(whole.falls.length === 0 ? "unchanged: holds" : `unchanged: FALLS: ${whole.falls[0]}`);
let survivors = whole.falls.length === 0 ? 0 : 1;
for (const mutant of chosen) {
  const { isFound, falls, output } = await tryMutant(mutant, setting);
  if (!isFound) survivors += 1;
  const last = output.trim().split("\n").at(-1);
  console.log(
    `${mutant.name}: ${isFound ? `found, ${falls.length} falls: ${falls[0]?.slice(0, 160)}` : `SURVIVES: ${last}`}`,
  );
}
process.exitCode = survivors > 0 ? 1 : 0;
