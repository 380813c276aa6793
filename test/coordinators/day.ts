import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type BenchCoordinator, startCoordinator } from "../../bench/farms/coordinator.ts";
import { type AskSql, openSql } from "../../bench/farms/fill-postgres.ts";
import { peakBytes, residentBytes } from "../../bench/farms/program.ts";
import { scratchFolder } from "../../bench/farms/scratch.ts";
import { startPostgres } from "../../bench/peers/server.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import { aCopyTo, aFileSource } from "../helpers/farm/job-builders.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { createBook } from "../stress/book.ts";
import { createFakeDisk } from "../stress/fake-disk.ts";
import { startFakeNode } from "../stress/fake-node.ts";

/** What a node does in a day: a heartbeat every five seconds, and two slots whose tasks take ten minutes each, with some rest. */
const dayMinutes = 24 * 60;
const [heartbeatsAMinute, slots, taskMinutes, busy] = [12, 2, 10, 0.8];
/** A job is a source and copies of it. */
const copiesAJob = 9;
const tasksAJob = copiesAJob + 1;

const usage =
  "Usage: node test/coordinators/day.ts [--nodes N] [--minutes N] [--part N] [--kept MINUTES]\n" +
  "  --part 0.1: a tenth of the day's jobs and messages, in a tenth of the minutes";

type Choices = { readonly nodes: number; readonly minutes: number; readonly part: number; readonly kept: number };

/**
 * What a thousand nodes and their jobs say in a day, said to a real coordinator on PostgreSQL in an hour: heartbeats, assignments,
 * commits and reports of tasks that write files, and jobs that are deleted when they expire. Prints the memory over time, the bytes of a
 * job, and whether the server's vacuum keeps up with what is deleted.
 */
const main = async (): Promise<number> => {
  const choices = readChoices();
  const begun = performance.now();
  const say = (text: string) => console.log(`${((performance.now() - begun) / 60_000).toFixed(2)} min: ${text}`);
  using scratch = scratchFolder();
  await using opened = new AsyncDisposableStack();
  const postgres = await startPostgres(join(scratch.path, "postgres"));
  if (!postgres) {
    console.error("PostgreSQL is not installed (Debian's package postgresql)");
    return 1;
  }
  opened.use(postgres);
  const { ask } = opened.use(await openSql(postgres.folder));
  const store = `postgres://bench@localhost/postgres?host=${encodeURIComponent(postgres.folder)}`;
  const loop = join(scratch.path, "loop");
  const farm = opened.use(await startCoordinator(join(scratch.path, "farm"), { store, env: environment(loop) }));
  const plan = planOf(choices);
  say(
    `${plan.jobs} jobs of ${tasksAJob} tasks and ${plan.heartbeats} heartbeats of ${choices.nodes} nodes in ${choices.minutes * choices.part} minutes`,
  );
  const nodes = startNodes(farm.joinToken, choices.nodes, plan);
  opened.defer(async () => nodes.end());
  await until(async () => (await farm.metrics()).get('mediafarm_nodes{presence="online"}') === choices.nodes);
  say("all nodes are there");
  const first = await measure(ask, farm);
  const looks = lookAgainAndAgain(ask, farm, say, plan.lookMs);
  const sent = await submitAll(farm, plan, choices.kept);
  await until(async () => (await countOf(ask, "jobs WHERE end_time IS NULL")) === 0);
  say(`all ${sent} jobs have ended`);
  const full = await measure(ask, farm);
  await until(async () => (await countOf(ask, "jobs")) + (await countOf(ask, "deleted_jobs")) === 0);
  const seen = await looks.end();
  say("all jobs have expired and are deleted");
  await report({ ask, say, sent, first, full, seen, loop, pid: farm.pid, nodes });
  const wrong = [...nodes.violations(), ...(await vacuumProblems(ask)), ...(choices.part < 1 ? [] : growth(seen))];
  for (const each of wrong.slice(0, 10)) say(`WRONG: ${each}`);
  return wrong.length === 0 ? 0 : 1;
};

const readChoices = (): Choices => {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { nodes: text("1000"), minutes: text("60"), part: text("1"), kept: text("5") };
  const { values } = parseArgs({ options });
  const [nodes, minutes, part, kept] = [values.nodes, values.minutes, values.part, values.kept].map(Number);
  const choices = { nodes: nodes ?? 0, minutes: minutes ?? 0, part: part ?? 0, kept: kept ?? 0 };
  if (Object.values(choices).every((each) => each > 0)) return choices;
  console.error(usage);
  process.exit(2);
};

const environment = (loop: string) => ({
  NODE_OPTIONS: `--import ${join(import.meta.dirname, "../../bench/farms/loop-watch.ts")}`,
  BENCH_LOOP: loop,
});

type Plan = ReturnType<typeof planOf>;

const planOf = ({ nodes, minutes, part }: Choices) => {
  const faster = dayMinutes / minutes;
  const tasks = (nodes * slots * busy * dayMinutes * part) / taskMinutes;
  return {
    jobs: Math.round(tasks / tasksAJob),
    sendMs: minutes * part * 60_000,
    heartbeats: Math.round(nodes * heartbeatsAMinute * dayMinutes * part),
    /** The coordinator asks for one every five seconds; a node says so many at a time. */
    beats: faster,
    /** Of the two pauses within a task, each takes half of this on average. */
    workMs: (taskMinutes * 60_000) / faster,
    lookMs: minutes * part * 1000,
  };
};

const startNodes = (joinToken: string, count: number, { beats, workMs }: Plan) => {
  const [disk, book] = [createFakeDisk(), createBook()];
  const { url } = decodeJoinToken(joinToken);
  const all = Array.from({ length: count }, (_, index) =>
    startFakeNode({
      ...{ url, joinToken, name: `node ${index}`, tags: [], slots, disk, book, frozenMs: 0 },
      // Little is said of each attempt at a time, and its node has others meanwhile: they take as long as in a day.
      ...{ workMs, beats, random: randomFrom(index), isCalm: () => true },
    }),
  );
  return {
    counts: book.counts,
    violations: book.violations,
    end: (): void => {
      for (const each of all) each.end();
    },
  };
};

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(500);
};

const countOf = async (ask: AskSql, what: string): Promise<number> =>
  Number((await ask<{ n: string }>(`SELECT count(*) AS n FROM ${what}`))[0]?.n);

/** Evenly over the time. Resolves with how many were accepted. */
const submitAll = async (farm: BenchCoordinator, { jobs, sendMs }: Plan, kept: number): Promise<number> => {
  const begun = performance.now();
  const open = new Set<Promise<unknown>>();
  for (let nr = 0; nr < jobs; nr += 1) {
    const late = begun + (nr * sendMs) / jobs - performance.now();
    if (late > 0) await pause(late);
    if (open.size === mostOpen) await Promise.race(open);
    const sending = farm.ask("POST", "/jobs", JSON.stringify(jobOf(nr, kept)));
    open.add(sending);
    void sending.finally(() => open.delete(sending));
  }
  await Promise.all(open);
  return jobs;
};

const mostOpen = 20;

const jobOf = (nr: number, kept: number) => {
  const copies = Array.from({ length: copiesAJob }, (_, at) => ({
    ...aCopyTo(`/out/${nr}/${at}`, { existing_files: "replace" }),
    uid: `copy_${at}`,
  }));
  const to = { success: copies.map(({ uid }) => ({ element: uid })) };
  return {
    name: `job ${nr}`,
    expiration: kept,
    payload: {
      elements: [aFileSource(`/media/${nr}.mov`), ...copies],
      connections: [{ from: [{ element: "source" }], to }],
    },
  };
};

type Measure = Readonly<
  Record<"resident" | "database" | "wal" | "live" | "dead" | "jobs" | "deleted" | "waiting", number>
>;

const measureSql = `SELECT pg_database_size(current_database()) AS database, pg_current_wal_lsn() - '0/0' AS wal,
  (SELECT sum(n_live_tup) FROM pg_stat_user_tables) AS live, (SELECT sum(n_dead_tup) FROM pg_stat_user_tables) AS dead,
  (SELECT count(*) FROM jobs) AS jobs, (SELECT count(*) FROM deleted_jobs) AS deleted,
  (SELECT count(*) FROM tasks WHERE state IN ('ready', 'running', 'committing')) AS waiting`;

const measure = async (ask: AskSql, { pid }: Pick<BenchCoordinator, "pid">): Promise<Measure> => {
  const [row = {}] = await ask<Record<string, string>>(measureSql);
  const numbers = Object.entries(row).map(([name, value]) => [name, Number(value)]);
  return { resident: residentBytes(pid), ...Object.fromEntries(numbers) };
};

const lookAgainAndAgain = (ask: AskSql, farm: BenchCoordinator, say: (text: string) => void, everyMs: number) => {
  const seen: (Measure & { readonly at: number })[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const now = await measure(ask, farm);
      seen.push({ ...now, at: performance.now() });
      say(
        `memory ${mb(now.resident)}, database ${mb(now.database)}, ${now.jobs} jobs, ${now.waiting} open tasks, ` +
          `${now.deleted} deleted jobs to clear, ${now.live} rows, ${now.dead} dead`,
      );
      await pause(everyMs);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await looking;
      return seen;
    },
  };
};

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

type Seen = {
  readonly ask: AskSql;
  readonly say: (text: string) => void;
  readonly sent: number;
  readonly first: Measure;
  readonly full: Measure;
  readonly seen: readonly (Measure & { readonly at: number })[];
  readonly loop: string;
  readonly pid: number;
  readonly nodes: Pick<ReturnType<typeof startNodes>, "counts" | "violations">;
};

const report = async ({ ask, say, sent, first, full, seen, loop, pid, nodes }: Seen): Promise<void> => {
  const half = seen.slice(Math.floor(seen.length / 2));
  const [from, to] = [half[0], half.at(-1)];
  const grown = mb((to?.resident ?? 0) - (from?.resident ?? 0));
  say(
    `memory: ${mb(first.resident)} at first, ${mb(peakBytes(pid))} at most; over the second half it changed by ${grown}`,
  );
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const jobBytes = await bytesAJob(seen, first);
  say(
    `a job of ${tasksAJob} tasks: ${jobBytes === undefined ? "?" : kB(jobBytes)} in tables and indexes, ${kB((full.wal - first.wal) / sent)} of log`,
  );
  say(`the loop was late by ${Math.round(longestBlock(loop))} ms at most`);
  say(`what nodes were told: ${JSON.stringify(nodes.counts())}`);
  await pause(vacuumMs);
  for (const line of await vacuums(ask)) say(line);
  const last = await ask<{ size: string }>("SELECT pg_database_size(current_database()) AS size");
  say(
    `database: ${mb(first.database)} at first, ${mb(Math.max(...seen.map(({ database }) => database)))} at most, ${mb(Number(last[0]?.size))} at last`,
  );
};

/** The server looks once a minute by default whether a table needs a vacuum. */
const vacuumMs = 90_000;

/** Where most jobs were there at a time. */
const bytesAJob = async (seen: Seen["seen"], first: Measure): Promise<number | undefined> => {
  const most = seen.toSorted((a, b) => b.jobs - a.jobs)[0];
  return most && most.jobs > 0 ? (most.database - first.database) / most.jobs : undefined;
};

const vacuums = async (ask: AskSql): Promise<string[]> => {
  const rows = await ask<
    Record<string, string>
  >(`SELECT relname AS name, n_tup_ins AS ins, n_tup_upd AS upd, n_tup_hot_upd AS hot,
      n_tup_del AS del, n_live_tup AS live, n_dead_tup AS dead, autovacuum_count AS vacuums, pg_total_relation_size(relid) AS size
    FROM pg_stat_user_tables WHERE n_tup_ins + n_tup_upd > 1000 ORDER BY n_tup_upd + n_tup_del DESC`);
  return rows.map(
    ({ name, ins, upd, hot, del, live, dead, vacuums: count, size }) =>
      `${name}: ${ins} inserted, ${upd} updated (${hot} in place), ${del} deleted; ${live} live, ${dead} dead, ${count} autovacuums, ${mb(Number(size))}`,
  );
};

/** All jobs are gone, so hardly any row is left, dead or alive. */
const vacuumProblems = async (ask: AskSql): Promise<string[]> => {
  const rows = await ask<{ name: string; dead: string }>(
    `SELECT relname AS name, n_dead_tup AS dead FROM pg_stat_user_tables WHERE n_dead_tup > ${mostDead}`,
  );
  return rows.map(({ name, dead }) => `${dead} dead rows of ${name} were left by the vacuum`);
};

/** The server leaves 50 and a fifth of what is alive alone; what was written since its last look is added. */
const mostDead = 1000;

/** In the second half of a day memory does not grow by more than this part of what it was. */
const mostGrowth = 0.15;

const growth = (seen: Seen["seen"]): string[] => {
  const quarter = (nth: number) => {
    const some = seen.slice(Math.floor((nth * seen.length) / 4), Math.floor(((nth + 1) * seen.length) / 4));
    return some.reduce((sum, { resident }) => sum + resident, 0) / some.length;
  };
  const [third, last] = [quarter(2), quarter(3)];
  return last > third * (1 + mostGrowth) ? [`memory grew from ${mb(third)} to ${mb(last)}`] : [];
};

const longestBlock = (file: string): number =>
  Math.max(
    0,
    ...readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => Number(line.split(" ")[1])),
  );

process.exit(await main());
