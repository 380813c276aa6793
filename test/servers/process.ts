import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";

/** A port of loopback that nobody has at this moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });

/** Different ports that nobody has. */
export const freePorts = async (count: number): Promise<number[]> => {
  const found = new Set<number>();
  while (found.size < count) found.add(await freePort());
  return [...found];
};

/** None outlives the tests, not even one whose start failed half-way. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) killGroup(child, "SIGKILL");
});

export type Program = { readonly pid: number; stop(signal?: NodeJS.Signals): Promise<void> };

/** Starts a server in a group of its own, and waits until its port answers. */
export const startProgram = async (command: string, args: readonly string[], port: number): Promise<Program> => {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
  running.add(child);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (said = (said + text).slice(-4000)));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void ended.then(() => running.delete(child));
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    killGroup(child, signal);
    const late = setTimeout(() => killGroup(child, "SIGKILL"), 5000);
    await ended;
    clearTimeout(late);
    killGroup(child, "SIGKILL"); // children that outlive it
  };
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${said}`);
    if (await answers(port)) return { pid: child.pid ?? 0, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop("SIGKILL");
  throw new Error(`${command} does not answer on port ${port}: ${said}`);
};

const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    return; // gone already
  }
};

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });

/** Where a program is, also one that only root's PATH has. */
export const programPath = (name: string): string | undefined =>
  ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));

/** A key and a certificate of its own for 127.0.0.1, as files. */
export const makeCertificate = (folder: string): { readonly key: string; readonly certificate: string } => {
  const [key, certificate] = [`${folder}/server.key`, `${folder}/server.pem`];
  const { status, stderr } = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
    ...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
  ]);
  if (status !== 0) throw new Error(`No certificate: ${stderr}`);
  return { key, certificate };
};

/** Ends the sessions that a server holds for a test's own user: they are in no group of ours. */
export const endSessions = (user: string, words: string): void => {
  for (const search of [
    ["-u", user],
    ["-f", words],
  ]) {
    const found = spawnSync("pgrep", search, { encoding: "utf8" }).stdout.split("\n").filter(Boolean).map(Number);
    for (const pid of found) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {}
    }
  }
};
