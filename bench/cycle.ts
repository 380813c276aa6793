import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type BenchCoordinator, startCoordinator } from "./farms/coordinator.ts";
import { sourcesJob } from "./farms/jobs.ts";
import { startQuickNodes } from "./farms/quick-nodes.ts";
import { scratchFolder } from "./farms/scratch.ts";
import { type Bench, interleave, type Measure } from "./harness.ts";
import { bullMq, concurrency, graphileWorker, pgBoss, type Queue } from "./peers/queues.ts";
import { type Server, startPostgres, startRedis } from "./peers/server.ts";

const tasksAJob = 10;
/** Each runs two light tasks at a time. */
const nodes = concurrency / 2;

/**
 * Tasks through the full cycle: ready, assigned over a socket, done, each durable and acknowledged singly. From the moment
 * that workers come to a full queue until the last is done. The references are queues that keep the same promise, each on
 * its own server, and the same in settings that promise less.
 */
export const cycle: Bench = {
  name: "cycle",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, count] = isQuick ? [pairs ?? 2, 1_000] : [pairs ?? 5, 10_000];
    using scratch = scratchFolder();
    await using opened = new AsyncDisposableStack();
    const postgres = await startPostgres(join(scratch.path, "postgres"));
    if (postgres) opened.use(postgres);
    const peers = await openPeers(scratch.path, postgres, opened, say);
    const farm = await startCoordinator(join(scratch.path, "farm"));
    opened.use(farm);
    await runFarm(farm, 500);
    const onPostgres = postgres && opened.use(await startOnPostgres(join(scratch.path, "farm-on-postgres"), postgres));
    if (onPostgres) await runFarm(onPostgres, 500);
    const legs: Record<string, () => Promise<number>> = Object.fromEntries([
      ...(onPostgres ? [[farmOnPostgres, () => runFarm(onPostgres, count)]] : []),
      ...peers.map(({ name, queue }) => [name, () => queue.run(count)]),
    ]);
    const results = await interleave(rounds, { farm: () => runFarm(farm, count), ...legs });
    for (const result of results) {
      const rates = Object.entries(result).map(([leg, ms]) => `${leg} ${Math.round((count * 1000) / ms)}/s`);
      say(rates.join(", "));
    }
    const measure = (leg: string, what: string, { name, isTarget }: Peer): Measure => {
      const ratios = results.map((result: Record<string, number>) => (result[leg] ?? 0) / (result[name] ?? 0));
      return { name: what, reference: name, ratios, ...(isTarget ? { target: 1 } : {}) };
    };
    const what = `${count.toLocaleString("en")} tasks through the cycle`;
    // On the same server, each commit on its disk before it is answered.
    const sameServer = onPostgres ? peers.filter(({ server }) => server === postgres) : [];
    return [
      ...peers.map((peer) => measure("farm", what, peer)),
      ...sameServer.map((peer) => measure(farmOnPostgres, `${what}, both in PostgreSQL`, peer)),
    ];
  },
};

const farmOnPostgres = "farm on PostgreSQL";

/** A farm in the public schema of the peers' own database: theirs have schemas of their own. */
export const startOnPostgres = (folder: string, { folder: socket }: Server): Promise<BenchCoordinator> =>
  startCoordinator(folder, { store: `postgres://bench@localhost/postgres?host=${encodeURIComponent(socket)}` });

type Peer = {
  readonly name: string;
  readonly isTarget: boolean;
  readonly queue: Queue;
  readonly server: Server;
};

/** Those whose server and package are installed; the others are said aloud. */
const openPeers = async (
  folder: string,
  postgres: Server | undefined,
  opened: AsyncDisposableStack,
  say: (text: string) => void,
): Promise<Peer[]> => {
  const keep = (server: Server | undefined) => server && opened.use(server);
  const always = keep(await startRedis(join(folder, "always"), "always"));
  const second = keep(await startRedis(join(folder, "everysec"), "everysec"));
  const batches = { preset: { worker: { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } } };
  const wanted: readonly [string, boolean, Server | undefined, (server: Server) => Promise<Queue | undefined>][] = [
    ["graphile-worker", true, postgres, graphileWorker],
    ["BullMQ, appendfsync always", true, always, bullMq],
    ["graphile-worker by batches", false, postgres, (server) => graphileWorker(server, batches)],
    ["BullMQ, appendfsync everysec", false, second, bullMq],
    ["pg-boss", false, postgres, pgBoss],
  ];
  const peers: Peer[] = [];
  for (const [name, isTarget, server, open] of wanted) {
    const queue = server && (await open(server));
    if (queue) peers.push({ name, isTarget, queue: opened.use(queue), server });
    else say(`LEFT OUT: ${name}, because its ${server ? "package" : "server"} is not installed`);
  }
  return peers;
};

/** As in the queues, all tasks are ready before the first node comes: jobs are begun a while after they are accepted. */
const runFarm = async (farm: BenchCoordinator, count: number): Promise<number> => {
  for (let sent = 0; sent < count; sent += 10 * tasksAJob) {
    const jobs = Math.min(10, (count - sent) / tasksAJob);
    await Promise.all(
      [...Array(jobs).keys()].map((nr) =>
        farm.ask("POST", "/jobs", JSON.stringify(sourcesJob(`${count}-${sent}-${nr}`, tasksAJob))),
      ),
    );
  }
  while ((await farm.metrics()).get('mediafarm_tasks{state="ready"}') !== count) await pause(50);
  const begun = performance.now();
  await using quick = await startQuickNodes(farm.joinToken, nodes);
  await quick.taken(count);
  return performance.now() - begun;
};
