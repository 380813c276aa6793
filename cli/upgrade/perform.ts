import type { Run } from "../../agent/process/run.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";

type Order = { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string };

/** Runs a program to its end and gives what it printed. Throws AppError, with the program's words, if it fails. */
export type Perform = (command: readonly string[], order?: Order) => Promise<string>;

const limitMs = 30 * 60_000;

export const createPerform =
  (run: Run): Perform =>
  async ([command = "", ...args], order = {}) => {
    const { exitCode, stdout, stderrTail } = await run({ command, args, limitMs, ...order }).catch((cause) => {
      throw new AppError("UNAVAILABLE", `${command} cannot be started: ${messageOf(cause)}`, { cause });
    });
    if (exitCode === 0) return stdout;
    const said = stderrTail.trim() || `it ended with status ${exitCode}`;
    throw new AppError("UNAVAILABLE", `${[command, ...args].join(" ")} failed: ${said}`);
  };
