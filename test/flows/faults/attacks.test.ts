import { expect, test } from "vitest";
import { attacks } from "../../attack/attacks.ts";
import { strangers } from "../../attack/strangers/strangers.ts";
import { times } from "../../helpers/long.ts";
import { randomFrom } from "../../helpers/random/random.ts";

/** What measures time runs by itself: `test/timed`. */
const untimed = attacks.filter((attack) => attack !== strangers);

/** A few tries of each way; `npm run attack` makes as many as one likes. */
const tries = times(1, 8, 8);

test.each(untimed)("$name: everything that is tried holds", async ({ run }) => {
  const seed = Date.now() % 1e6;
  const tallies = await run({ random: randomFrom(seed), tries });
  const fallen = tallies.flatMap(({ what, fell }) => fell.map((each) => `${what}: ${each}`));
  expect(fallen, `seed ${seed}`).toEqual([]);
  expect(tallies.filter(({ tried }) => tried === 0)).toEqual([]);
});
