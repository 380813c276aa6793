import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { AppError } from "../../shared/basics/errors.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";

const program = fileURLToPath(siblingModule(import.meta.url, "agent-program"));
/** An agent that dies is started again after this pause. */
const restartAfterMs = 1000;

/**
 * Starting a child costs time in proportion to the memory that its parent has written. A small young generation and one
 * heap of the C library for all threads keep it small.
 */
const smallMemory = { flags: ["--max-semi-space-size=1"], env: { MALLOC_ARENA_MAX: "1" } };

export type LocalAgent = { readonly stop: () => Promise<void> };

export type LocalAgentNeeds = {
  readonly words: readonly string[];
  readonly joinToken: string;
  /** The folder for compiled code: it saves the memory of the compiler at later starts. */
  readonly cacheDir: string;
};

/**
 * Starts the agent of `up` as a small process, because starting ffmpeg costs time in proportion to the memory of the
 * process that starts it. It ends when its standard input closes, so it never outlives `up`. Resolves once it is
 * connected; rejects if it ends before.
 */
export const startLocalAgent = ({ words, joinToken, cacheDir }: LocalAgentNeeds): Promise<LocalAgent> => {
  let child: ChildProcess;
  let isStopping = false;

  const start = (onConnected: () => void, onEnd: (status: number | null) => void) => {
    const cache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? cacheDir };
    const own = { MEDIAFARM_JOIN_TOKEN: joinToken, MEDIAFARM_SUPERVISED: "1" };
    const env = { ...process.env, ...smallMemory.env, ...cache, ...own };
    const argv = [...process.execArgv, ...smallMemory.flags, program, "--json", ...words];
    child = spawn(process.execPath, argv, { env, stdio: ["pipe", "pipe", "inherit"] });
    child.once("exit", onEnd);
    if (child.stdout) createInterface({ input: child.stdout }).on("line", (line) => isConnected(line) && onConnected());
  };

  const restart = () => {
    if (isStopping) return;
    setTimeout(() => {
      if (!isStopping) start(() => {}, restart);
    }, restartAfterMs);
  };

  const stop = () =>
    new Promise<void>((resolve) => {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once("exit", () => resolve());
      child.kill("SIGTERM");
    });

  return new Promise((resolve, reject) => {
    let isReady = false;
    const ready = () => {
      isReady = true;
      resolve({ stop });
    };
    start(ready, (status) => {
      if (isReady) restart();
      else reject(new AppError("UNAVAILABLE", `The local agent could not start (exit status ${status}); see above`));
    });
  });
};

const isConnected = (line: string): boolean => {
  try {
    return JSON.parse(line).event === "connected";
  } catch {
    return false; // not a line of ours
  }
};
