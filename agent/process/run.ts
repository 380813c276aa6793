import { type ChildProcess, spawn } from "node:child_process";
import { setPriority } from "node:os";
import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import { definitionError, TaskError } from "../../shared/model/failure.ts";
import { createKillLadder, signalGroup } from "./kill-ladder.ts";
import type { Suspension } from "./suspension.ts";
import { watchUsage } from "./usage.ts";

export type RunOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the minimal environment that all children get. */
  readonly env?: Readonly<Record<string, string>>;
  /** Aborted: SIGTERM several times a second, `graceMs` later SIGKILL. */
  readonly signal?: AbortSignal;
  readonly graceMs?: number;
  readonly limitMs?: number;
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
};

export type RunResult = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** How many characters of the output's beginning and end are kept. */
  readonly stdout: string;
  readonly stderrTail: string;
  readonly timedOut: boolean;
  readonly wallMs: number;
  readonly cpuMs?: number;
  readonly peakMemory?: number;
};

/** Runs a program until it exits, however it exits. Rejects only if it cannot be started. */
export type Run = (options: RunOptions) => Promise<RunResult>;

export type ProcessNeeds = {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string>>;
  /** Where running children are noted, for systems on which they cannot be tied to their parent. */
  readonly children?: { note(pid: number): Promise<() => Promise<void>> };
  /** Programs stand still with the rest of the work, and none is started meanwhile. */
  readonly suspension?: Suspension;
};

const maxStdout = 32 * 1024 * 1024;
const maxStderrTail = 16_000;

/**
 * The only place that starts programs: without a shell, in their own process group, at low priority, with empty stdin.
 * On Linux `setpriv` makes the kernel kill the child when the agent dies; elsewhere the child is recorded on disk.
 */
export const createRun = ({ clock, env, children, suspension }: ProcessNeeds): Run => {
  let tied: Promise<boolean> | undefined;
  const plain = (options: RunOptions): Promise<RunResult> => runPlain(options, { clock, env, children, suspension });
  return async (options) => {
    options.signal?.throwIfAborted();
    await suspension?.pass(options.signal);
    tied ??= canTieToParent((check) => runPlain(check, { clock, env }));
    if (!(await tied)) return plain(options);
    const args = ["--pdeathsig", "KILL", "--", options.command, ...options.args];
    return runPlain({ ...options, command: "setpriv", args }, { clock, env, suspension });
  };
};

const canTieToParent = async (run: Run): Promise<boolean> => {
  if (process.platform !== "linux") return false;
  try {
    const { exitCode } = await run({ command: "setpriv", args: ["--pdeathsig", "KILL", "--", "true"] });
    return exitCode === 0;
  } catch (error) {
    // No setpriv on this system: children are noted on disk as elsewhere. Any other fault must not untie them unseen.
    if (error instanceof TaskError) return false;
    throw error;
  }
};

const runPlain = async (options: RunOptions, needs: ProcessNeeds): Promise<RunResult> => {
  const { clock, env, children, suspension } = needs;
  const working = suspension?.clock ?? clock;
  const startedAt = working.monotonic();
  const child = start(options, env);
  const { pid } = child;
  const output = collect(child, options);
  const closed = ended(child, options);
  if (pid === undefined) return closed.then(() => Promise.reject(new TaskError("machine", "A program has no pid")));
  lowerPriority(pid);
  const usage = watchUsage(pid, clock);
  child.once("exit", usage.ended);
  const kill = createKillLadder(pid, options.graceMs ?? 3000, needs);
  const leave = suspension?.enter(pid);
  let timedOut = false;
  const stopLimit =
    options.limitMs === undefined
      ? undefined
      : working.after(options.limitMs, () => {
          timedOut = true;
          kill.begin();
        });
  options.signal?.addEventListener("abort", kill.begin, { once: true });
  if (options.signal?.aborted) kill.begin();
  const forget = children?.note(pid);
  try {
    const end = await closed;
    return { ...end, ...output.texts(), timedOut, wallMs: working.monotonic() - startedAt, ...usage.stop() };
  } finally {
    options.signal?.removeEventListener("abort", kill.begin);
    stopLimit?.();
    kill.end();
    leave?.();
    usage.stop();
    await (await forget)?.();
  }
};

const start = ({ command, args, cwd, env }: RunOptions, base: Readonly<Record<string, string>>): ChildProcess => {
  try {
    return spawn(command, args, {
      cwd,
      env: { ...base, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      detached: process.platform !== "win32",
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "E2BIG")) throw error;
    const longest = Math.max(...args.map((each) => Buffer.byteLength(each)));
    const message = `The command is too long for this system: ${args.length} words, the longest of ${longest} bytes`;
    throw definitionError(message);
  }
};

const collect = (child: ChildProcess, { onStdout, onStderr }: RunOptions) => {
  let stdout = "";
  let stderrTail = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (onStdout) return onStdout(text);
    if (stdout.length < maxStdout) stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderrTail = (stderrTail + text).slice(-maxStderrTail);
    onStderr?.(text);
  });
  return { texts: () => ({ stdout, stderrTail }) };
};

const ended = (child: ChildProcess, { command }: RunOptions) =>
  new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once("error", (error) => {
      if (child.pid === undefined) reject(new TaskError("machine", `Cannot start ${command}: ${messageOf(error)}`));
    });
    // A child's own children may hold the pipes open long after it: the whole group goes when its leader is gone.
    child.once("exit", () => signalGroup(child.pid ?? 0, "SIGKILL"));
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });

/** The owner of the machine comes first. Refused or too late (the child is gone) makes no difference to the work. */
const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, 10);
  } catch {
    return;
  }
};
