import { runCli } from "../../../cli/run.ts";
import type { World } from "../../../cli/terminal/world.ts";
import type { Clock } from "../../../shared/basics/clock.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import type { TestCoordinator } from "../farm/coordinator.ts";

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
    stdinChunks: async function* () {
      yield around.stdin ?? "";
    },
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

/** The environment in which commands find this coordinator and are let in. */
export const commandEnv = ({ origin, secrets }: TestCoordinator): Record<string, string> => ({
  MEDIAFARM_URL: `${origin}/v1`,
  MEDIAFARM_OAPI_KEY: secrets.oapiKey,
  MEDIAFARM_OAPI_SECRET: secrets.oapiSecret,
  MEDIAFARM_AUTH_KEY: secrets.authKey,
  MEDIAFARM_AUTH_SECRET: secrets.authSecret,
});
