import { parseArgs } from "node:util";
import { randomFrom } from "../helpers/random/random.ts";
import type { Tally } from "./attack.ts";
import { attacks } from "./attacks.ts";

/**
 * `npm run attack -- [--seed N] [--seeds N] [--tries N] [--only WORD]… [NAME…]` attacks a farm of its own for each of so
 * many seeds, and prints what was tried and what held. Exits with 1 if anything fell. A million messages of hostile nodes:
 * `npm run attack -- --seeds 10 --tries 2500 "hostile nodes"`.
 */
const { values, positionals } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "1" },
    tries: { type: "string", default: "40" },
    only: { type: "string", multiple: true, default: [] },
  },
  allowPositionals: true,
});
const [first, seeds, tries] = [Number(values.seed ?? Date.now() % 1e6), Number(values.seeds), Number(values.tries)];

const show = (name: string, { what, tried, fell, note }: Tally): void => {
  const held = Math.max(0, tried - fell.length);
  console.log(`${name}: ${what}: ${held} of ${tried} held${note === undefined ? "" : `; ${note}`}`);
  for (const each of new Set(fell)) console.log(`  FELL: ${each}`);
};

let tried = 0;
let fallen = 0;
for (let nr = 0; nr < seeds; nr += 1) {
  const seed = first + nr;
  console.log(`seed ${seed}`);
  for (const { name, run } of attacks) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const part = { nr, of: seeds };
    for (const tally of await run({ random: randomFrom(seed), tries, only: values.only, part })) {
      show(name, tally);
      tried += tally.tried;
      fallen += tally.fell.length;
    }
  }
}
console.log(`${tried} tried, ${tried - fallen} held, ${fallen} fell`);
process.exitCode = fallen > 0 ? 1 : 0;
