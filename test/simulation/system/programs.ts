import { EventEmitter } from "node:events";
import { here, type Life } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import { system } from "./machine.ts";
import { failure } from "./names.ts";

/** A program that the product starts: it uses the disks of its machine like the product, and resolves with its exit code. */
export type Program = (process: ProgramNeeds) => Promise<number>;

export type ProgramNeeds = {
  readonly args: readonly string[];
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
  /** How probably it goes wrong. */
  readonly failures: number;
  /** From now on it ends by SIGKILL alone. */
  readonly hearNothing: () => void;
};

/** How long a program takes to begin, and to hear of a signal. */
const startMs = 5;
const signalMs = 1;

class Child extends EventEmitter {
  pid: number | undefined;
  readonly stdout = createOutput();
  readonly stderr = createOutput();
}

const createOutput = () => {
  const events = new EventEmitter();
  return Object.assign(events, { setEncoding: () => events });
};

/** What the product uses of `node:child_process`. */
const spawn = (command: string, given: readonly string[]): Child => {
  const { programs, newPid, running, random, note, programTrouble, started } = system();
  const [name, args] = command === "setpriv" ? withoutTie(given) : [command, given];
  const child = new Child();
  const parent = here();
  const program = programs.get(name);
  if (!program) {
    parent.after(startMs, () => child.emit("error", failure("ENOENT", `spawn ${command}`)));
    return child;
  }
  const pid = newPid();
  const life = parent.child(`${parent.name} ${name}`);
  child.pid = pid;
  note("start", name);
  started(name, args);
  const tell = (event: string, ...about: unknown[]): void => parent.meet(() => void child.emit(event, ...about));
  const end = (code: number | null, signal: string | null): void => {
    if (!running.delete(pid)) return;
    life.end();
    note("exit", `${name} ${code ?? signal}`);
    parent.after(0, () => {
      tell("exit", code, signal);
      tell("close", code, signal);
    });
  };
  let isDeaf = false;
  const hearNothing = (): void => {
    isDeaf = true;
  };
  const signal = createSignals(life, parent, end);
  running.set(pid, { life, began: pid, signal: (each) => (isDeaf && each === "SIGTERM" ? undefined : signal(each)) });
  life.after(startMs * random.between(0.5, 2), () => {
    const output = (stream: EventEmitter) => (text: string) => parent.meet(() => void stream.emit("data", text));
    const sleep = (ms: number): Promise<void> => new Promise((resolve) => life.after(ms * pace, resolve));
    const { failures, pace } = programTrouble;
    const own = { args, random, failures, sleep, hearNothing };
    program({ ...own, stdout: output(child.stdout), stderr: output(child.stderr) }).then(
      (code) => end(code, null),
      (problem) => {
        output(child.stderr)(String(problem));
        end(1, null);
      },
    );
  });
  return child;
};

/** `setpriv --pdeathsig KILL -- PROGRAM …`: every simulated program ends with its parent anyway. */
const withoutTie = (args: readonly string[]): [string, readonly string[]] => {
  const [name = "", ...rest] = args.slice(args.indexOf("--") + 1);
  return [name, rest];
};

const createSignals =
  (life: Life, parent: Life, end: (code: number | null, signal: string | null) => void) =>
  (signal: string): void => {
    if (signal === "SIGSTOP") life.pause();
    else if (signal === "SIGCONT") life.resume();
    else if (signal !== "0")
      parent.after(signalMs, () => end(signal === "SIGTERM" ? 255 : null, signal === "SIGTERM" ? null : signal));
  };

export const childProcess = { spawn };

/** Signals a simulated program, or its group. Throws ESRCH if it has ended. */
export const killSimulated = (pid: number, signal: string): true => {
  const found = system().running.get(Math.abs(pid));
  if (!found) throw failure("ESRCH", "kill");
  found.signal(signal);
  return true;
};
