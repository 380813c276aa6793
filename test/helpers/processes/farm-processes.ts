import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { type AgentChoices, readConfig } from "../../../agent/config.ts";
import { authorityFile } from "../../../coordinator/tls/tls.ts";
import { type Client, createClient } from "../../../shared/api/client.ts";
import { toRevealedJson } from "../../../shared/basics/secret.ts";
import type { Job } from "../farm/job-builders.ts";
import type { StoreTroubles } from "../farm/troubled-store.ts";
import { blockedIn, loopWatch, requireFreeLoop } from "../loop/blocked.ts";
import { mountSmallDisk, unmountDisk } from "./small-disk.ts";
import { isBegun, openStoryStore } from "./story-store.ts";

/**
 * A farm of real processes for stories: a coordinator started by the command line, agents beside it, a folder that all of
 * them may use. Times are shrunk, but no node is given up because the test's machine is busy.
 */
const root = join(import.meta.dirname, "../../..");
const timing = {
  heartbeatMs: 500,
  lateMs: 10_000,
  lostMs: 60_000,
  tickMs: 100,
  capabilityWaitMs: 1000,
  commitWaitMs: 3000,
  stuckMs: 600_000,
  longestBackOffMs: 600_000,
};

type Ready = {
  readonly base_url: string;
  readonly join_token: string;
  readonly oapi_key: string | null;
  readonly oapi_secret: string | null;
  readonly auth_key: string | null;
  readonly auth_secret: string | null;
  readonly first_sign_in_url: string | null;
};

export type Program = {
  readonly child: ChildProcess;
  readonly firstLine: Promise<unknown>;
  readonly stderr: () => string;
};

export type FarmChoices = {
  readonly timing?: Partial<typeof timing>;
  /** Megabytes of the disk on which the coordinator keeps its data, where that is to be a small one. */
  readonly diskMegabytes?: number;
  /** The coordinator is one that can be told when to die, and whose clock jumps. */
  readonly isMortal?: boolean;
  /** The environment of all programs. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where its coordinator listens; default: a free port. */
  readonly port?: number;
  /** The coordinator speaks TLS, with a certificate of its own. */
  readonly isTls?: boolean;
  /** Nobody watches its loop: times are measured, and a large profile takes long to be looked at. */
  readonly isUnwatched?: boolean;
  /** What happens to the batches of every coordinator that is not started with a plan of its own. */
  readonly troubles?: StoreTroubles;
};

/** The checkpoint at which a program kills itself, and at which of the times that it passes it. */
export type DeathPlan = { readonly moment: string; readonly turn: number };

/** What goes wrong with a coordinator from inside. */
type CoordinatorPlan = Partial<DeathPlan> & { readonly troubles?: StoreTroubles };

export const startFarm = async (more: FarmChoices = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-flow-"));
  const disks: string[] = [];
  const smallDisk = (path: string, megabytes: number): string => {
    mountSmallDisk(path, megabytes);
    disks.push(path);
    return path;
  };
  if (more.diskMegabytes !== undefined) smallDisk(join(folder, "farm"), more.diskMegabytes);
  const media = join(folder, "media");
  mkdirSync(media);
  const programs: Program[] = [];
  const database = join(folder, "farm/coordinator/farm.db");
  const store = await openStoryStore(database);
  const env = {
    ...process.env,
    ...(more.isMortal ? {} : store.env), // those open files themselves
    XDG_CONFIG_HOME: join(folder, "config"),
    MEDIAFARM_TIMING: JSON.stringify({ ...timing, ...store.timing, ...more.timing }),
    ...more.env,
  };

  const start = (
    file: string,
    words: readonly string[],
    extra: Record<string, string> = {},
    node: readonly string[] = [],
  ): Program => {
    const program = startProgram(join(root, file), words, { ...env, ...extra }, node);
    programs.push(program);
    return program;
  };

  const startCoordinator = async (port = 0, plan?: CoordinatorPlan): Promise<{ program: Program; ready: Ready }> => {
    const words = ["up", "--no-agent", "--json", "--port", String(port), "--data", join(folder, "farm")];
    if (more.isTls) words.push("--tls");
    const death = [plan?.moment ?? "", String(plan?.turn ?? 1)];
    const troubles = plan?.troubles ?? more.troubles;
    const mortal = [join(folder, "farm/coordinator"), String(port), ...death, troubles ? JSON.stringify(troubles) : ""];
    const watch = more.isUnwatched ? [] : loopWatch;
    const program = more.isMortal
      ? start("test/helpers/fixtures/crashing-coordinator.ts", mortal, {}, watch)
      : start("cli/main.ts", words, {}, watch);
    return { program, ready: (await program.firstLine) as Ready }; // the contract of `up --json`
  };

  const dataOf = (name: string): string => join(folder, `agent-${name}`);
  const first = await startCoordinator(more.port);
  const port = Number(new URL(first.ready.base_url).port);
  const client = clientOf(first.ready);
  let coordinator = first.program;

  return {
    folder,
    media,
    /** The file in which the coordinator keeps its data. */
    database,
    /** All that the coordinator's store holds. */
    stored: store.text,
    /** Batches after which a mortal coordinator's memory was not as its store, in words. */
    differences: (): string[] => {
      const file = join(folder, "farm/coordinator/differences");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
    /** Lines of the programs' logs with this message, as they were written. */
    logged: (message: string): Record<string, unknown>[] =>
      programs.flatMap(({ stderr }) => logLinesOf(stderr())).filter((line) => line.message === message),
    /** Lines of the coordinator's log about its own mistakes. */
    errors: (): Record<string, unknown>[] =>
      logLinesOf(coordinator.stderr()).filter(({ level }) => level === "error" || level === "fatal"),
    client,
    /** The same credentials at another coordinator, by the base of its addresses. */
    clientAt: (baseUrl: string): Client => clientOf({ ...first.ready, base_url: baseUrl }),
    baseUrl: first.ready.base_url,
    /** What clients must trust; undefined without TLS. */
    ca: more.isTls ? readFileSync(join(folder, "farm/coordinator", authorityFile), "utf8") : undefined,
    joinToken: first.ready.join_token,
    secrets: first.ready,
    env,
    coordinator: () => coordinator,
    port,
    restartCoordinator: async (plan?: CoordinatorPlan) => {
      ({ program: coordinator } = await startCoordinator(port, plan));
    },
    /** An agent with a data folder by its name: started again, it is the same node. */
    startAgent: async (name = "one", more: readonly string[] = [], extra: Record<string, string> = {}) => {
      const words = ["--json", "--name", name, "--slots", "1", "--root", folder, "--data", dataOf(name)];
      lendTools(dataOf(name));
      const program = start("agent/main.ts", [...words, ...more], {
        MEDIAFARM_JOIN_TOKEN: first.ready.join_token,
        ...extra,
      });
      await program.firstLine;
      if (Object.keys(extra).length === 0) keepTools(dataOf(name));
      return program;
    },
    /** The same agent, but at a checkpoint it kills -9 the coordinator and itself. */
    startFatalAgent: async (moment: string, name = "one") => {
      lendTools(dataOf(name));
      const choices = { name, slots: 1, roots: [folder], dataDir: dataOf(name), joinToken: first.ready.join_token };
      const words = [toRevealedJson(readConfig(choices)), moment, String(coordinator.child.pid)];
      const program = start("test/helpers/fixtures/crashing-agent.ts", words);
      await program.firstLine;
      return program;
    },
    dataOf,
    /** A folder that is a small disk until the farm ends. */
    smallDisk,
    /** An agent that can be told when to die, with what is given of its settings. */
    startMortalAgent: async (choices: AgentChoices, plan?: DeathPlan & { readonly pids?: readonly number[] }) => {
      const config = readConfig({ slots: 1, roots: [folder], joinToken: first.ready.join_token, ...choices });
      lendTools(config.dataDir);
      const death = [plan?.moment ?? "", (plan?.pids ?? []).join(","), String(plan?.turn ?? 1)];
      const program = start("test/helpers/fixtures/crashing-agent.ts", [toRevealedJson(config), ...death]);
      await program.firstLine;
      return program;
    },
    /** Another agent with a copy of the data of the first; nobody waits until it is let in. */
    startTwin: (name: string, dataDir: string) => {
      const config = readConfig({ name, dataDir, slots: 1, roots: [folder] });
      return start("test/helpers/fixtures/crashing-agent.ts", [toRevealedJson(config)]);
    },
    /** A command that goes on until the farm ends. */
    startCommand: (words: readonly string[], extra: Record<string, string> = {}) => start("cli/main.ts", words, extra),
    /** Runs the command line to its end. */
    run: async (words: readonly string[], extra: Record<string, string> = {}) => {
      const program = start("cli/main.ts", words, extra);
      const status = await exitOf(program.child);
      return { status, stderr: program.stderr() };
    },
    submit: async (job: Job) => (await client.createJob(job)).id,
    untilEnded: (id: string) => untilEnded(client, id),
    [Symbol.asyncDispose]: async () => {
      for (const { child } of programs) child.kill("SIGKILL");
      await Promise.all(programs.map(({ child }) => exitOf(child)));
      for (const disk of disks) unmountDisk(disk);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      requireFreeLoop(programs.flatMap(({ stderr }) => blockedIn(stderr())));
    },
  };
};

/** What the first agent of all tests found out about this machine's programs; each agent checks that it still holds. */
const knownTools = join(root, ".build/tools.json");

const lendTools = (dataDir: string): void => {
  const own = join(dataDir, "tools.json");
  if (!existsSync(knownTools) || existsSync(own)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  copyFileSync(knownTools, own);
};

/** Renamed into its place: test files run side by side. */
const keepTools = (dataDir: string): void => {
  const own = join(dataDir, "tools.json");
  if (existsSync(knownTools) && readFileSync(knownTools).equals(readFileSync(own))) return;
  mkdirSync(dirname(knownTools), { recursive: true });
  copyFileSync(own, `${knownTools}.${process.pid}`);
  renameSync(`${knownTools}.${process.pid}`, knownTools);
};

export type FarmProcesses = Awaited<ReturnType<typeof startFarm>>;

/** Undefined for a line that is for people. */
const documentIn = (line: string): unknown => (line.startsWith("{") ? JSON.parse(line) : undefined);

/** `node`: words for Node itself. */
export const startProgram = (
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  node: readonly string[] = [],
): Program => {
  const child = spawn(process.execPath, [...node, file, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  let isSettled = false;
  const firstLine = new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      const said: unknown = isSettled ? undefined : documentIn(line);
      if (said === undefined || !isBegun(said)) return;
      isSettled = true;
      resolve(said);
    });
    child.once("exit", (code) => reject(new Error(`${words[0]} ended with status ${code}: ${stderr}`)));
  });
  firstLine.catch(() => {}); // a program that is not waited for may end without a word
  return { child, firstLine, stderr: () => stderr };
};

const logLinesOf = (stderr: string): Record<string, unknown>[] =>
  stderr.split("\n").flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));

export const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("exit", (code) => resolve(code));
  });

/** Asks the program to end, and waits until it has. */
export const stop = async ({ child }: Program): Promise<void> => {
  child.kill("SIGTERM");
  await exitOf(child);
};

export const kill = async ({ child }: Program): Promise<void> => {
  child.kill("SIGKILL");
  await exitOf(child);
};

const clientOf = (ready: Ready): Client =>
  createClient({
    baseUrl: ready.base_url,
    oapiKey: ready.oapi_key ?? "",
    oapiSecret: ready.oapi_secret ?? "",
    authKey: ready.auth_key ?? "",
    authSecret: ready.auth_secret ?? "",
  });

/** The job's info once it has ended; a coordinator that is away meanwhile is waited for. */
const untilEnded = async (client: Client, id: string) => {
  for (;;) {
    const info = await client
      .getJobInfo({ job_id: id, fields: ["status", "substatus", "error", "progress"] })
      .catch(() => undefined);
    if (info?.status === "completed" || info?.status === "failed") return info;
    await pause(100);
  }
};

/** Waits until `check` holds; says what it waited for when the test's time is up. */
export const until = async (
  what: string,
  check: () => Promise<boolean> | boolean,
  patienceMs = 120_000,
): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await check())) {
    if (performance.now() > end) throw new Error(`waited in vain for: ${what}`);
    await pause(50);
  }
};
