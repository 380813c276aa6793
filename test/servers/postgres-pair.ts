import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { ordinaryUser } from "./postgres.ts";
import { freePorts } from "./process.ts";

/** A PostgreSQL server and its synchronous standby: what one acknowledged is on both. */
export type PostgresPair = {
  /** Where the one listens that may write; another port after a failover. */
  readonly primary: { readonly port: number };
  /** The one that follows. */
  readonly standby: { readonly port: number };
  readonly ask: (sql: string, at?: "primary" | "standby") => Promise<Record<string, unknown>[]>;
  /** fast: as a service manager stops it · immediate: as if the power failed. It is back when this resolves. */
  readonly restart: (how: "fast" | "immediate") => Promise<void>;
  /** The primary is lost, the standby takes its place, and gets a new standby before this resolves. */
  readonly failOver: () => Promise<void>;
  /** The standby takes nothing until the answer is called: commits wait. */
  readonly stallStandby: () => () => void;
  /** The folder of the primary's data. */
  readonly data: () => string;
  /** Starts the primary again if it ended by itself, as one whose disk was full does. */
  readonly revive: () => Promise<void>;
  readonly remove: () => Promise<void>;
};

type Needs = {
  /** An empty folder. */
  readonly folder: string;
  /** Makes a folder for a server's data. */
  readonly makeFolder: (path: string) => void;
};

type Side = { readonly port: number; readonly data: string; child: ChildProcess | undefined };

const programs = (): string => globSync("/usr/lib/postgresql/*/bin").sort().at(-1) ?? "";
const database = "farm";

/** None outlives the tests. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) killAll(child);
});

export const startPostgresPair = async ({ folder, makeFolder }: Needs): Promise<PostgresPair> => {
  const who = ordinaryUser();
  const own = (path: string): void => {
    if (who) chownSync(path, who.uid, who.gid);
    chmodSync(path, 0o700);
  };
  const run = (program: string, ...words: string[]): void => {
    const { status, stderr } = spawnSync(join(programs(), program), words, { ...who, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  mkdirSync(folder, { recursive: true });
  own(folder);
  const ports = await freePorts(2);
  const sides = ports.map((port, nth): Side => ({ port, data: join(folder, `disk-${nth}`, "data"), child: undefined }));
  const [one, two] = sides as [Side, Side];
  for (const { data } of sides) {
    makeFolder(join(data, ".."));
    own(join(data, ".."));
  }
  const now = { primary: one, standby: two };

  const addressOf = ({ port }: Side, name = database) => `postgres://farm@127.0.0.1:${port}/${name}`;
  const askAt = async (address: string, sql: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 20_000, query_timeout: 60_000 });
    client.on("error", () => undefined); // the query says it
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const ask = (sql: string, at: keyof typeof now = "primary") => askAt(addressOf(now[at]), sql);

  const start = async (side: Side): Promise<void> => {
    const words = [...settings, `port=${side.port}`, `unix_socket_directories=${folder}`];
    const child = spawn(join(programs(), "postgres"), ["-D", side.data, ...words.flatMap((each) => ["-c", each])], {
      ...who,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr?.on("data", (text) => {
      said = (said + text).slice(-4000);
    });
    side.child = child;
    running.add(child);
    child.once("exit", () => running.delete(child));
    for (let tries = 0; ; tries += 1) {
      if (hasEnded(child)) throw new Error(`PostgreSQL ended: ${said}`);
      try {
        await askAt(addressOf(side, "postgres"), "SELECT 1");
        return;
      } catch (problem) {
        if (tries === 600) throw new Error(`PostgreSQL does not answer: ${said}`, { cause: problem });
        await pause(50);
      }
    }
  };
  const end = async ({ child }: Side, signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void> => {
    if (!child || hasEnded(child)) return;
    const gone = once(child, "exit");
    if (signal === "SIGKILL") killAll(child);
    else child.kill(signal);
    await gone;
  };

  /** A fresh copy of the primary follows it; from then on, commits wait for both. */
  const follow = async (): Promise<void> => {
    const { primary, standby } = now;
    rmSync(standby.data, { recursive: true, force: true });
    const from = `host=127.0.0.1 port=${primary.port} user=farm`;
    run("pg_basebackup", "-D", standby.data, "-d", from, "-R", "-X", "stream", "-c", "fast", "--no-sync");
    await start(standby);
    await askAt(addressOf(primary, "postgres"), "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await askAt(addressOf(primary, "postgres"), "SELECT pg_reload_conf()");
    for (let tries = 0; ; tries += 1) {
      const [found] = await askAt(addressOf(primary, "postgres"), "SELECT sync_state FROM pg_stat_replication");
      if (found?.sync_state === "sync") return;
      if (tries === 600) throw new Error("the standby does not follow");
      await pause(50);
    }
  };

  run("initdb", "-D", one.data, "-U", "farm", "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "--wal-segsize=1");
  await start(one);
  await askAt(addressOf(one, "postgres"), `CREATE DATABASE ${database}`);
  await follow();

  return {
    primary: {
      get port() {
        return now.primary.port;
      },
    },
    standby: {
      get port() {
        return now.standby.port;
      },
    },
    ask,
    data: () => now.primary.data,
    restart: async (how) => {
      await end(now.primary, how === "fast" ? "SIGINT" : "SIGQUIT");
      await start(now.primary);
    },
    failOver: async () => {
      await end(now.primary, "SIGKILL");
      const { primary, standby } = now;
      // Nobody follows the new primary yet, so its commits must wait for nobody.
      await askAt(addressOf(standby, "postgres"), "SELECT pg_promote(true, 60)");
      await askAt(addressOf(standby, "postgres"), "ALTER SYSTEM RESET synchronous_standby_names");
      await askAt(addressOf(standby, "postgres"), "SELECT pg_reload_conf()");
      Object.assign(now, { primary: standby, standby: primary });
      await follow();
    },
    stallStandby: () => {
      const { child } = now.standby;
      const pids = child ? familyOf(child.pid ?? 0) : [];
      signalAll(pids, "SIGSTOP");
      return () => signalAll(pids, "SIGCONT");
    },
    revive: async () => {
      for (let tries = 0; tries < 40; tries += 1) {
        if (now.primary.child && hasEnded(now.primary.child)) break;
        if (
          await ask("SELECT 1").then(
            () => true,
            () => false,
          )
        )
          return;
        await pause(50);
      }
      await end(now.primary, "SIGQUIT");
      await start(now.primary);
    },
    remove: async () => {
      await Promise.all(sides.map((side) => end(side, "SIGKILL")));
    },
  };
};

/** Small, so that a disk need not be large to be full; whatever broke off is noticed soon. */
const settings = [
  ...["listen_addresses=127.0.0.1", "shared_buffers=16MB", "max_connections=80", "wal_level=replica"],
  ...["max_wal_size=16MB", "min_wal_size=2MB", "wal_keep_size=8MB", "hot_standby=on", "wal_receiver_status_interval=1"],
  ...["wal_retrieve_retry_interval=200ms", "log_min_messages=warning"],
];

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** The server's first process and those that it started. */
const familyOf = (pid: number): number[] => {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    return []; // it has ended
  }
};

const signalAll = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {} // it has ended
  }
};

/** As if the machine were gone: none of its processes gets to say a word. */
const killAll = ({ pid }: ChildProcess): void => {
  if (pid) signalAll(familyOf(pid), "SIGKILL");
};
