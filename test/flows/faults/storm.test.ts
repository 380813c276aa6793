import { expect, test } from "vitest";
import { times, turn } from "../../helpers/long.ts";
import { runStorm } from "../../stress/storm.ts";

const seed = Number(process.env.MEDIAFARM_SEED ?? turn + 1);

test(
  "in a storm of cut lines, crashes, lies and restarts no job is lost and nothing is shown that was not granted",
  async () => {
    const { violations, counts } = await runStorm({
      seed,
      // So few that tasks have to wait: their order is audited too.
      nodes: times(15, 15, 1000),
      jobs: times(80, 200, 10_000),
      kills: times(1, 1, 5),
      stormMs: times(4_000, 8_000, 120_000),
      calmMs: times(250_000, 250_000, 1_800_000),
      say: () => undefined,
    });
    expect(violations, `seed ${seed}`).toEqual([]);
    // The storm was one: otherwise the line above would be easily said.
    for (const what of ["crash", "cut", "freeze", "partition", "fails", "liesStranger", "steals", "repeats", "stale"]) {
      expect(counts[what], what).toBeGreaterThan(0);
    }
  },
  times(400_000, 400_000, 3_600_000),
);
