import { expect, test } from "vitest";
import { strangers } from "../attack/strangers/strangers.ts";
import { times } from "../helpers/long.ts";
import { randomFrom } from "../helpers/random/random.ts";

test("while strangers and ordinary users do their worst, others submit, and all is as before after", async () => {
  const seed = Date.now() % 1e6;
  const [tally] = await strangers.run({ random: randomFrom(seed), tries: times(1, 8, 40) });
  expect(tally?.fell, `seed ${seed}`).toEqual([]);
  expect(tally?.tried).toBeGreaterThan(0);
});
