import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** A server that a bench started for itself, on a socket in its own folder. */
export type Server = AsyncDisposable & { readonly socket: string; readonly folder: string };

/** PostgreSQL as Debian sets it up: every commit is on disk before it is answered. Undefined where it is not installed. */
export const startPostgres = async (folder: string): Promise<Server | undefined> => {
  const bin = globSync("/usr/lib/postgresql/*/bin").sort().at(-1);
  if (bin === undefined) return undefined;
  const who = ordinaryUser("postgres");
  const [data, run] = [join(folder, "data"), join(folder, "run")];
  for (const path of [folder, data, run]) {
    mkdirSync(path, { recursive: true });
    if (who) chownSync(path, who.uid, who.gid);
    chmodSync(path, 0o700);
  }
  // The bench's own folder is closed to all others; PostgreSQL's user has to get through it.
  if (who) chmodSync(dirname(folder), 0o711);
  const made = spawnSync(join(bin, "initdb"), ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8"], { ...who });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const settings = ["listen_addresses=", `unix_socket_directories=${run}`, "max_connections=200"];
  const child = spawn(join(bin, "postgres"), ["-D", data, ...settings.flatMap((each) => ["-c", each])], {
    ...who,
    stdio: "ignore",
  });
  return serverOf(child, join(run, ".s.PGSQL.5432"), run);
};

/** Redis; `appendfsync` says when what was written is on disk. Undefined where it is not installed. */
export const startRedis = async (folder: string, appendfsync: "always" | "everysec"): Promise<Server | undefined> => {
  if (!["/usr/bin/redis-server", "/usr/local/bin/redis-server"].some((path) => existsSync(path))) return undefined;
  mkdirSync(folder, { recursive: true });
  const socket = join(folder, "redis.sock");
  const words = ["--port", "0", "--unixsocket", socket, "--dir", folder, "--save", "", "--appendonly", "yes"];
  const child = spawn("redis-server", [...words, "--appendfsync", appendfsync], { stdio: "ignore" });
  return serverOf(child, socket, folder);
};

const serverOf = async (child: ChildProcess, socket: string, folder: string): Promise<Server> => {
  for (let tries = 0; !(await answers(socket)); tries += 1) {
    if (child.exitCode !== null || tries > 300) throw new Error(`The server of ${socket} did not start`);
    await pause(50);
  }
  return {
    socket,
    folder,
    [Symbol.asyncDispose]: async () => {
      const gone = once(child, "exit");
      child.kill("SIGINT");
      await gone;
    },
  };
};

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

/** PostgreSQL refuses to run as root: then it runs as Debian's own user of it, or as nobody. */
const ordinaryUser = (name: string): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const found = users.find(([user]) => user === name) ?? users.find(([user]) => user === "nobody");
  return { uid: Number(found?.[2] ?? 65534), gid: Number(found?.[3] ?? 65534) };
};
