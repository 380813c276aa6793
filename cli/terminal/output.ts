import { type Paint, paintFor } from "../text/paint.ts";
import { type Column, formatTable } from "../text/table.ts";
import { forTerminal, jsonForTerminal, plainLines } from "../text/width.ts";
import type { World } from "./world.ts";

/** Writes the output of a command: answers to stdout, everything else to stderr. */
export type Output = {
  readonly isJson: boolean;
  /** Whether a person watches, so that a bar may move. */
  readonly isLive: boolean;
  /** The width of the live line. */
  readonly columns: number;
  /** The width of answers; infinite without a terminal. */
  readonly width: number;
  readonly paint: Paint;
  readonly text: (text: string) => void;
  /** An answer: JSON for programs, or text for people. */
  readonly answer: (value: unknown, text: string) => void;
  /** A list: a JSON document for each row, or a table. An empty one is said to be empty, on stderr. */
  readonly list: <Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string) => void;
  /** One JSON document on a line of its own. */
  readonly json: (value: unknown) => void;
  readonly problem: (text: string) => void;
  /** Rewrites the live line; an empty text clears it. */
  readonly live: (text: string) => void;
};

export const createOutput = (
  isJson: boolean,
  { stdout, stderr, env }: Pick<World, "stdout" | "stderr" | "env">,
): Output => {
  const width = stdout.isTerminal ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
  const json = (value: unknown) => stdout.write(`${jsonForTerminal(value)}\n`);
  const text = (words: string) => stdout.write(forTerminal(words));
  const problem = (text: string) => stderr.write(`${forTerminal(plainLines(text)).trimEnd()}\n`);
  return {
    isJson,
    isLive: !isJson && stderr.isTerminal,
    columns: stderr.columns ?? 80,
    width,
    paint: paintFor(stdout.isTerminal, env),
    text,
    answer: (value, words) => (isJson ? json(value) : text(words)),
    list: (rows, columns, empty) => {
      if (isJson) for (const row of rows) json(row);
      else if (rows.length > 0) text(formatTable(columns, rows, width));
      else problem(empty);
    },
    json,
    problem,
    live: (words) => stderr.write(`\r\x1b[K${forTerminal(words)}`),
  };
};
