import { systemClock } from "../shared/system-clock.ts";
import type { Stream, World } from "./command.ts";

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
