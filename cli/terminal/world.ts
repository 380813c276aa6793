import type { Clock } from "../../shared/basics/clock.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a command; tests pass their own. */
export type World = {
  readonly env: Environment;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly stdin: () => Promise<string>;
  /** The same in pieces, as it comes. */
  readonly stdinChunks: () => AsyncIterable<string>;
  /** Aborted by Ctrl-C. Until a command requests it, Ctrl-C ends the program at once. */
  readonly interrupted: () => AbortSignal;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** A closed output pipe ends the program, unless it does more than print. */
  readonly outliveReader: () => void;
};

export type Stream = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
};

/** The program's real environment. */
export const openWorld = (): World => {
  let isOutliving = false;
  const whenReaderLeft = (problem: NodeJS.ErrnoException): void => {
    if (problem.code !== "EPIPE") throw problem;
    // The reader closed the pipe, as in `mediafarm jobs | head -1`: not an error.
    if (!isOutliving) process.exit(0);
  };
  process.stdout.on("error", whenReaderLeft);
  process.stderr.on("error", whenReaderLeft);
  return {
    env: process.env,
    clock: systemClock,
    random: Math.random,
    stdin: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(chunk);
      return Buffer.concat(chunks).toString("utf8");
    },
    stdinChunks: () => process.stdin.setEncoding("utf8"),
    interrupted: () => {
      const asked = new AbortController();
      process.once("SIGINT", () => asked.abort());
      return asked.signal;
    },
    stdout: streamOf(process.stdout),
    stderr: streamOf(process.stderr),
    outliveReader: () => {
      isOutliving = true;
    },
  };
};

const streamOf = (stream: NodeJS.WriteStream): Stream => ({
  write: (text) => {
    stream.write(text);
  },
  isTerminal: stream.isTTY === true,
  columns: stream.columns,
});
