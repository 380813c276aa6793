import type { World } from "./command.ts";
import { type Paint, paintFor } from "./text/paint.ts";
import { plainLines } from "./text/width.ts";

/** Where a command writes: answers to stdout, everything else to stderr. */
export type Output = {
  readonly isJson: boolean;
  /** Whether a person watches, so that a bar may move. */
  readonly isLive: boolean;
  /** Of the live line. */
  readonly columns: number;
  /** Of answers; without end where no terminal shows them. */
  readonly width: number;
  readonly paint: Paint;
  readonly text: (text: string) => void;
  /** One JSON document on a line of its own. */
  readonly json: (value: unknown) => void;
  readonly problem: (text: string) => void;
  /** Rewrites the live line; an empty text clears it. */
  readonly live: (text: string) => void;
};

export const createOutput = (
  isJson: boolean,
  { stdout, stderr, env }: Pick<World, "stdout" | "stderr" | "env">,
): Output => ({
  isJson,
  isLive: !isJson && stderr.isTerminal,
  columns: stderr.columns ?? 80,
  width: stdout.isTerminal ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY,
  paint: paintFor(stdout.isTerminal, env),
  text: stdout.write,
  json: (value) => stdout.write(`${JSON.stringify(value)}\n`),
  problem: (text) => stderr.write(`${plainLines(text).trimEnd()}\n`),
  live: (text) => stderr.write(`\r\x1b[K${text}`),
});
