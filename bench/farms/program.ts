import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../..");
/** Compiled code is kept from one start to the next, as it is where a farm has been started before. */
const environment = { MEDIAFARM_LOG: "warn", NODE_COMPILE_CACHE: join(root, ".build/compiled") };

export type Program<Ready> = {
  readonly child: ChildProcess;
  /** The first line that it printed. */
  readonly ready: Ready;
  /** Asks it to stop and waits until it has. */
  readonly end: () => Promise<void>;
};

/** Starts a program of this repository, or of another clone by its whole path, and waits until it has printed a line of JSON. */
export const startProgram = async <Ready>(
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program<Ready>> => {
  const child = spawn(process.execPath, [resolve(root, file), ...words], {
    env: { ...process.env, ...environment, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ready = (await firstLine(child)) as Ready; // what the program promises to print
  return { child, ready, end: () => end(child) };
};

const firstLine = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve, reject) => {
    if (child.stdout) createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
    child.once("exit", (code) => reject(new Error(`A program of the farm ended with status ${code}; see above`)));
  });

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
};

/** Resident memory of a process, in bytes. */
export const residentBytes = (pid: number): number => statusOf(pid, "VmRSS");

/** From now on, the most is counted anew. */
export const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5");

/** The most that it was, in bytes. */
export const peakBytes = (pid: number): number => statusOf(pid, "VmHWM");

const statusOf = (pid: number, field: string): number => {
  const line = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${field}:`));
  return 1024 * Number(/(\d+) kB/.exec(line ?? "")?.[1]);
};
