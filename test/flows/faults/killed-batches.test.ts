import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { instanceLimits } from "../../../media/instances/graph-state.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { aLargeJob } from "../../helpers/farm/large-job.ts";
import { openEnds, readStore, strayAttempts, strayTasks } from "../../helpers/farm/store-audit.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { isLong, seed, times } from "../../helpers/long.ts";
import { type FarmProcesses, kill, startFarm, stop } from "../../helpers/processes/farm-processes.ts";
import { randomFrom } from "../../helpers/random/random.ts";
import { startTrivialNode } from "./trivial-node.ts";

const batches = times(30, 100, 5000);
const kills = times(1, 2, 40);
const nodeCount = times(4, 4, 40);
/** The enumeration, and two elements for each batch. */
const taskCount = 1 + 2 * batches;

const files = Array.from({ length: batches }, (_, nr) => `file:///media/${String(nr).padStart(6, "0")}.mov`);

/** Kills the coordinator at moments of the work, and starts it again on the same data. */
const killing = (farm: FarmProcesses) => {
  const random = randomFrom(seed);
  const moments = Array.from({ length: kills }, () => random.integer(1, taskCount)).sort((a, b) => a - b);
  const seen = { done: 0, killed: 0, mostOpen: 0, mostMemory: 0 };
  let restarting: Promise<void> | undefined;

  const killOnce = async (): Promise<void> => {
    await pause(random.integer(0, 30));
    const peak = peakMemoryOf(farm.coordinator().child.pid);
    await kill(farm.coordinator());
    seen.killed += 1;
    seen.mostOpen = Math.max(seen.mostOpen, openRuns(farm));
    seen.mostMemory = Math.max(seen.mostMemory, peak);
    await farm.restartCoordinator();
  };

  const killWhenDue = (): void => {
    if (restarting || seen.done < (moments[0] ?? Number.POSITIVE_INFINITY)) return;
    moments.shift();
    restarting = killOnce().finally(() => {
      restarting = undefined;
      killWhenDue();
    });
  };

  return {
    seen,
    onDone: (): void => {
      seen.done += 1;
      killWhenDue();
    },
    untilQuiet: async (): Promise<void> => {
      while (restarting) await restarting;
    },
  };
};

const onDisk = (farm: FarmProcesses) => stored({ config: { dataDir: dirname(farm.database) } });

const openRuns = (farm: FarmProcesses): number => {
  const open = "SELECT count(*) AS n FROM element_runs WHERE path <> '' AND state IN ('planning', 'running')";
  return onDisk(farm).all<{ n: number }>(open)[0]?.n ?? 0;
};

/** Bytes; 0 where the system does not tell. */
const peakMemoryOf = (pid: number | undefined): number => {
  if (process.platform !== "linux" || pid === undefined) return 0;
  return 1024 * Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
};

const title = `a job of ${batches} batches whose coordinator is killed ${kills} times ends as if it had not been`;
test(title, { timeout: isLong ? 3_600_000 : 90_000 }, async () => {
  await using farm = await startFarm();
  const { seen, onDone, untilQuiet } = killing(farm);
  const nonsense: string[] = [];
  const { url } = decodeJoinToken(farm.joinToken);
  const nodes = Array.from({ length: nodeCount }, (_, nr) =>
    startTrivialNode({
      ...{ url, joinToken: farm.joinToken, name: `n${nr}`, files, onDone },
      onNonsense: (text) => nonsense.push(text),
    }),
  );
  const id = await farm.submit(aLargeJob);
  expect(await farm.untilEnded(id), `MEDIAFARM_SEED=${seed}`).toMatchObject({ status: "completed", progress: 100 });
  await untilQuiet();
  for (const node of nodes) node.end();
  await stop(farm.coordinator());

  expect([nonsense, seen.killed]).toEqual([[], kills]);
  expect(endOf(farm)).toEqual({ runs: 2 * batches, paths: batches, done: taskCount, published: taskCount, twice: 0 });
  const store = readStore(farm.database);
  expect([strayTasks, strayAttempts, openEnds].flatMap((check) => check(store))).toEqual([]);
  expect(seen.mostOpen).toBeLessThanOrEqual(instanceLimits.open);
  expect(seen.mostMemory).toBeLessThan(500e6);
  if (isLong) console.log(seen);
});

/** What is on the disk of the job's batches, of its tasks, and of their attempts. */
const endOf = (farm: FarmProcesses) => {
  const one = (sql: string): number => onDisk(farm).all<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)[0]?.n ?? 0;
  return {
    runs: one("element_runs WHERE path <> '' AND state = 'succeeded'"),
    paths: one("(SELECT DISTINCT path FROM element_runs WHERE path <> '')"),
    done: one("tasks WHERE state = 'completed'"),
    published: one("attempts WHERE state = 'published'"),
    twice: one("(SELECT task_id FROM attempts WHERE state = 'published' GROUP BY task_id HAVING count(*) > 1)"),
  };
};
