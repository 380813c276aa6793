import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./process.ts";

/** A PostgreSQL server of a test's own, on loopback and on a socket in its folder. It trusts whoever may open the folder. */
export type PostgresServer = {
  readonly port: number;
  readonly folder: string;
  /** A new empty database, as the address of a store. */
  readonly database: () => Promise<string>;
  /** One statement, in the database of an address. */
  readonly ask: (address: string, sql: string) => Promise<Record<string, unknown>[]>;
  /** immediate: as if the power failed. */
  readonly stop: (how?: "fast" | "immediate") => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops it and removes its files. */
  readonly remove: () => Promise<void>;
};

const bin = (): string | undefined => globSync("/usr/lib/postgresql/*/bin").sort().at(-1);

export const postgresLacks = (): string | undefined =>
  bin() === undefined ? "PostgreSQL is not installed (Debian's package postgresql)" : undefined;

/** None outlives the tests. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGQUIT");
});

/** `own` gives files to the user that the server runs as: undefined where that is this one. */
export const startPostgresServer = async (
  settings: readonly string[] = [],
  own: (who: ReturnType<typeof ordinaryUser>) => void = () => undefined,
): Promise<PostgresServer> => {
  const programs = bin() ?? "";
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-postgres-"));
  const [data, log] = [join(folder, "data"), join(folder, "log")];
  const who = ordinaryUser();
  for (const path of [folder, data]) {
    mkdirSync(path, { recursive: true });
    if (who) chownSync(path, who.uid, who.gid);
    chmodSync(path, 0o700);
  }
  own(who);
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "farm", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
    { ...who, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const words = ["listen_addresses=127.0.0.1", `port=${port}`, `unix_socket_directories=${folder}`, ...settings];
  writeFileSync(log, "", { mode: 0o666 });
  let child: ChildProcess | undefined;
  const addressOf = (database: string) => `postgres://farm@127.0.0.1:${port}/${database}`;
  const ask = async (address: string, sql: string) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  const start = async () => {
    const started = spawn(join(programs, "postgres"), ["-D", data, ...words.flatMap((each) => ["-c", each])], {
      ...who,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    started.stderr?.on("data", (text) => {
      said = (said + text).slice(-4000);
    });
    child = started;
    running.add(started);
    for (let tries = 0; ; tries += 1) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}: ${said}`);
      try {
        await ask(addressOf("postgres"), "SELECT 1");
        return;
      } catch (problem) {
        if (tries === 600) throw problem;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  };
  const stop = async (how: "fast" | "immediate" = "fast") => {
    if (!child) return;
    const gone = once(child, "exit");
    child.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await gone;
    running.delete(child);
    child = undefined;
  };
  await start();
  let databases = 0;
  return {
    port,
    folder,
    ask,
    start,
    stop,
    database: async () => {
      const name = `farm_${++databases}`;
      await ask(addressOf("postgres"), `CREATE DATABASE ${name}`);
      return addressOf(name);
    },
    remove: async () => {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** PostgreSQL refuses to run as root: then it runs as Debian's own user of it, or as nobody. */
export const ordinaryUser = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = users.find(([user]) => user === "postgres") ?? users.find(([user]) => user === "nobody");
  return { uid: Number(found?.[2] ?? 65534), gid: Number(found?.[3] ?? 65534) };
};
