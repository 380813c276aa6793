import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type BenchCoordinator, exchange, readMetrics, startCoordinator } from "../../bench/farms/coordinator.ts";
import { fillWaiting, openSql } from "../../bench/farms/fill-postgres.ts";
import { sourcesJob } from "../../bench/farms/jobs.ts";
import { peakBytes, residentBytes, startProgram } from "../../bench/farms/program.ts";
import { scratchFolder } from "../../bench/farms/scratch.ts";
import { startPostgres } from "../../bench/peers/server.ts";
import { decodeJoinToken } from "../../shared/credentials/join-token.ts";
import { randomFrom } from "../helpers/random/random.ts";
import { freePorts } from "../servers/process.ts";
import { createBook } from "../stress/book.ts";
import { createFakeDisk } from "../stress/fake-disk.ts";
import { type FakeNode, startFakeNode } from "../stress/fake-node.ts";
import { watchRows } from "./watched-rows.ts";

const tasksAJob = 10;
/** Each keeps two tasks in its slots, and light ones beside them. */
const slots = 2;

const usage = "Usage: node test/coordinators/takeover.ts [--nodes N] [--tasks N] [--jobs N]";

/**
 * A coordinator is killed, and the one that stood by takes a large farm over: nodes that hold attempts, open tasks, and jobs that
 * wait. Prints the time from the end of the lease to the first batch, memory, how long the loop was blocked, and what clients see.
 */
const main = async (): Promise<number> => {
  const [nodes, tasks, jobs] = readSizes();
  const begun = performance.now();
  const say = (text: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s: ${text}`);
  using scratch = scratchFolder();
  await using opened = new AsyncDisposableStack();
  const postgres = await startPostgres(join(scratch.path, "postgres"));
  if (!postgres) {
    console.error("PostgreSQL is not installed (Debian's package postgresql)");
    return 1;
  }
  opened.use(postgres);
  const { ask } = opened.use(await openSql(postgres.folder));
  const pair = await openPair(scratch.path, postgres.folder, tasks);
  const credentials = await pair.found(tasks);
  say(`${tasks} tasks are open; filling in ${jobs} waiting jobs`);
  await fillWaiting(ask, 1, jobs);
  const { takeovers } = await watchRows(ask);
  const first = await pair.start(0);
  opened.defer(first.end);
  say("the first coordinator leads");
  const fakes = startNodes(pair.addresses, credentials.joinToken, nodes);
  opened.defer(async () => fakes.end());
  await until(async () => fakes.held() >= nodes * slots && (await pair.metrics(0)).get(present) === nodes);
  const second = await pair.start(1);
  opened.defer(second.end);
  const { pid } = second.ready;
  say(`${nodes} nodes hold ${fakes.held()} attempts, ${await openTasks(ask)} tasks are open; the leader is killed`);

  const idleBytes = residentBytes(pid);
  const watch = watchApi(pair.addresses[1] ?? "", credentials.headers);
  const [killedAt, killed] = [performance.now(), Date.now()];
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  await until(async () => (await pair.metrics(1).catch(() => undefined))?.get(present) === nodes);
  const back = performance.now() - killedAt;
  await pause(restMs);
  const api = await watch.end();
  const [taken] = await takeovers();
  say(`the first batch came ${rounded(taken?.afterLeaseMs)} ms after the lease ended`);
  say(
    `clients were answered ${rounded(api.away)} ms after the kill, all nodes back after ${rounded(back)} ms with ${fakes.held()} attempts`,
  );
  say(`memory: ${mb(idleBytes)} standing by, ${mb(peakBytes(pid))} at most, ${mb(residentBytes(pid))} afterwards`);
  say(`the loop was late by ${rounded(longestBlock(pair.loopFile(1), killed))} ms at most`);
  say(
    `${api.count} answers: p50 ${rounded(api.p50)} ms, p99 ${rounded(api.p99)} ms, the longest ${rounded(api.longest)} ms`,
  );
  return 0;
};

const readSizes = (): readonly [number, number, number] => {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({ options: { nodes: text("1000"), tasks: text("20000"), jobs: text("1000000") } });
  const [nodes = 0, tasks = 0, jobs = 0] = [values.nodes, values.tasks, values.jobs].map(Number);
  if ([nodes, tasks, jobs].every(Number.isInteger)) return [nodes, tasks, jobs];
  console.error(usage);
  process.exit(2);
};

const rounded = (ms: number | undefined): number => Math.round(ms ?? Number.NaN);
const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
const present = 'mediafarm_nodes{presence="online"}';
const restMs = 5000;

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await pause(100);
};

const openTasks = async (ask: (sql: string) => Promise<Record<string, unknown>[]>): Promise<number> =>
  Number((await ask("SELECT count(*) AS n FROM tasks WHERE state <> 'completed'"))[0]?.n);

/** Two places for coordinators of one database. */
const openPair = async (folder: string, socket: string, tasks: number) => {
  const ports = await freePorts(2);
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const loopFile = (nth: number) => join(folder, `loop-${nth}`);
  const timing = { capabilityWaitMs: 3_600_000, enoughReady: tasks };
  const farm = {
    XDG_CONFIG_HOME: join(folder, "config"),
    MEDIAFARM_TIMING: JSON.stringify(timing),
    MEDIAFARM_STORE: `postgres://bench@localhost/postgres?host=${encodeURIComponent(socket)}`,
    MEDIAFARM_SECRET_KEY: randomBytes(32).toString("base64"),
  };
  const env = (nth: number) => ({
    ...farm,
    MEDIAFARM_ADDRESS: addresses[nth] ?? "",
    MEDIAFARM_COORDINATORS: addresses.join(","),
    NODE_OPTIONS: `--import ${join(import.meta.dirname, "../../bench/farms/loop-watch.ts")}`,
    BENCH_LOOP: loopFile(nth),
  });
  const start = (nth: number) =>
    startProgram<{ readonly pid: number }>(
      "cli/main.ts",
      ["up", "--json", "--port", String(ports[nth]), "--no-agent", "--data", join(folder, `farm-${nth}`)],
      env(nth),
    );
  const metrics = async (nth: number) => readMetrics(await exchange(`${addresses[nth]}/metrics`, "GET", {}));
  return {
    ...{ addresses, start, metrics, loopFile },
    /** The first life: makes the farm, takes the jobs whose tasks are open, and ends. */
    found: async (count: number): Promise<Pick<BenchCoordinator, "headers" | "joinToken">> => {
      const own = await startCoordinator(join(folder, "first"), {
        store: farm.MEDIAFARM_STORE,
        env: { ...farm, MEDIAFARM_TIMING: JSON.stringify({ ...timing, leaseMs: 60_000 }) }, // nothing is measured yet
      });
      for (let sent = 0; sent < count; sent += tasksAJob * jobsAtOnce) {
        const names = Array.from({ length: jobsAtOnce }, (_, nr) => `${sent}-${nr}`);
        await Promise.all(names.map((name) => own.ask("POST", "/jobs", JSON.stringify(sourcesJob(name, tasksAJob)))));
      }
      await until(async () => ((await own.metrics()).get('mediafarm_tasks{state="ready"}') ?? 0) >= count);
      await own[Symbol.asyncDispose]();
      return own;
    },
  };
};

const jobsAtOnce = 20;

/** They keep what they are given, and look for whoever leads. */
const startNodes = (addresses: readonly string[], joinToken: string, count: number) => {
  const { pathname } = new URL(decodeJoinToken(joinToken).url);
  const urls = addresses.map((each) => `${each.replace(/^http/, "ws")}${pathname}`);
  const [disk, book] = [createFakeDisk(), createBook()];
  const all: FakeNode[] = Array.from({ length: count }, (_, index) => {
    let tries = 0;
    return startFakeNode({
      ...{ joinToken, name: `node ${index}`, tags: [], slots, disk, book, workMs: 36_000_000, frozenMs: 0 },
      url: () => urls[tries++ % urls.length] ?? "",
      random: randomFrom(index),
      isCalm: () => true,
    });
  });
  return {
    held: (): number => all.reduce((sum, each) => sum + each.holds(), 0),
    end: (): void => {
      for (const each of all) each.end();
    },
  };
};

const askEveryMs = 20;

/** A client that asks for a job again and again, as fast as it is answered; a refusal is no answer. */
const watchApi = (address: string, headers: Readonly<Record<string, string>>) => {
  const begun = performance.now();
  const times: number[] = [];
  let away: number | undefined;
  let isOver = false;
  const asked = (async () => {
    while (!isOver) {
      const at = performance.now();
      const isAnswered = await exchange(`${address}/v1/jobs/count`, "GET", headers).then(
        () => true,
        () => false,
      );
      if (isAnswered) {
        away ??= performance.now() - begun;
        times.push(performance.now() - at);
      }
      await pause(askEveryMs);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await asked;
      const sorted = times.toSorted((a, b) => a - b);
      const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
      return { away: away ?? Number.NaN, count: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
    },
  };
};

/** The longest that the loop was late since then, in milliseconds. */
const longestBlock = (file: string, since: number): number =>
  Math.max(
    ...readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number))
      .map(([at = 0, ms = 0]) => (at >= since ? ms : 0)),
  );

process.exit(await main()); // the nodes go on for hours
