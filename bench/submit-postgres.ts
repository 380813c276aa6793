import { join } from "node:path";
import { startOnPostgres } from "./cycle.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { type Bench, interleave } from "./harness.ts";
import { graphileTaker, pgBossTaker, type Taker } from "./peers/queues.ts";
import { startPostgres } from "./peers/server.ts";
import { atOnce, body, postAll, untilQuiet } from "./submit.ts";

/**
 * Durable submission of jobs of 2 kB to a farm on PostgreSQL, against queues on the same server that store the same text: each
 * submission is answered once its commit is on disk. The queues take it over the database's socket, without HTTP and unread.
 */
export const submitPostgres: Bench = {
  name: "submit-postgres",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 3, 500] : [pairs ?? 7, 3000];
    using scratch = scratchFolder();
    await using opened = new AsyncDisposableStack();
    const postgres = await startPostgres(join(scratch.path, "postgres"));
    if (!postgres) {
      say("LEFT OUT: all of it, because PostgreSQL is not installed");
      return [];
    }
    opened.use(postgres);
    const peers: Record<string, Taker> = {};
    for (const [name, open] of takers) {
      const found = await open(postgres, atOnce);
      if (found) peers[name] = opened.use(found);
      else say(`LEFT OUT: ${name}, because its package is not installed`);
    }
    const farm = opened.use(await startOnPostgres(join(scratch.path, "farm"), postgres));
    const timed = async (add: (body: string) => Promise<unknown>) => {
      const begun = performance.now();
      await postAll(add, count);
      return performance.now() - begun;
    };
    const farmLeg = async () => {
      const ms = await timed((each) => farm.ask("POST", "/jobs", each));
      await untilQuiet(farm.pid);
      return ms;
    };
    const job: object = JSON.parse(body);
    const peerLegs = Object.entries(peers).map(([name, { add }]) => [name, () => timed(() => add(job))] as const);
    const legs = { farm: farmLeg, ...Object.fromEntries(peerLegs) };
    for (const leg of Object.values(legs)) await leg(); // warm
    const results: Record<string, number>[] = await interleave(rounds, legs);
    for (const result of results)
      say(
        Object.entries(result)
          .map(([leg, ms]) => `${leg} ${Math.round((count * 1000) / ms)}/s`)
          .join(", "),
      );
    return Object.keys(peers).map((name) => ({
      name: "time of a 2 kB job, both in PostgreSQL",
      reference: name,
      ratios: results.map((result) => (result.farm ?? 0) / (result[name] ?? 0)),
      ...(name === "graphile-worker" ? { target: 1 } : {}),
    }));
  },
};

const takers = [
  ["graphile-worker", graphileTaker],
  ["pg-boss", pgBossTaker],
] as const;
