import { afterAll, describe, expect, test } from "vitest";
import { type ChaosResult, runChaos } from "../../coordinators/chaos.ts";
import { fakeTime } from "../../coordinators/fake-time.ts";
import { reportOf } from "../../coordinators/report.ts";
import { hasSmallDisks } from "../../coordinators/world.ts";
import { isLong, turn } from "../../helpers/long.ts";
import { postgresLacks } from "../../servers/postgres.ts";

const lacks = postgresLacks() ?? (isLong ? undefined : "it is for npm run long");
if (lacks) console.warn(`SKIPPED: chaos with three coordinators: ${lacks}`);

/** Three seeds by hand; `npm run chaos` tries a hundred faults of each. */
const seeds = Array.from({ length: 3 }, (_, nth) => Number(process.env.MEDIAFARM_SEED ?? turn + 1) + nth);
const results: ChaosResult[] = [];

describe.skipIf(lacks)("three coordinators, ten nodes, a database and its synchronous standby", () => {
  test.each(seeds)(
    "seed %i: nothing is lost, done twice, shown in part or written by two leaders",
    async (seed) => {
      const result = await runChaos({ seed, faults: 25, say: () => undefined });
      results.push(result);
      expect(result.findings).toEqual({ lost: [], twice: [], partial: [], interleaved: [], unended: [], said: [] });
      expect(result.batches).toBeGreaterThan(0);
      expect(result.jobs).toBeGreaterThan(0);
    },
    3_600_000,
  );
});

afterAll(() => {
  if (results.length === 0) return;
  for (const line of reportOf(results)) console.log(line);
  if (!hasSmallDisks) console.log("No disk of the database ran full: mounting small ones takes root");
  if (!fakeTime().isThere) console.log("No clock was set: Debian's package faketime is not installed");
});
