import type { World } from "../../cli/command.ts";
import { runCli } from "../../cli/run.ts";
import type { Clock } from "../../shared/clock.ts";
import { systemClock } from "../../shared/system-clock.ts";

type Surroundings = {
  readonly env?: World["env"];
  readonly clock?: Clock;
  readonly stdin?: string;
  readonly signal?: AbortSignal;
  /** Where a terminal of so many columns shows the answers. */
  readonly terminal?: number;
};

/** Runs one command in this process; what it wrote and how it ended. */
export const runHere = async (words: readonly string[], around: Surroundings = {}) => {
  let stdout = "";
  let stderr = "";
  const status = await runCli(words, {
    env: { XDG_CONFIG_HOME: "/nonexistent", ...around.env },
    clock: around.clock ?? systemClock,
    random: () => 0,
    stdin: async () => around.stdin ?? "",
    interrupted: () => around.signal ?? new AbortController().signal,
    stdout: {
      write: (text) => {
        stdout += text;
      },
      isTerminal: around.terminal !== undefined,
      columns: around.terminal,
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
      isTerminal: false,
      columns: undefined,
    },
    outliveReader: () => undefined,
  });
  return { status, stdout, stderr };
};

/** The documents of `--json`, one a line; throws where a line is none. */
export const documentsOf = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
