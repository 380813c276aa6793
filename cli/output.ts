/** Where a command writes: answers to stdout, everything else to stderr. */
export type Output = {
  readonly isJson: boolean;
  /** Whether a person watches, so that a bar may move. */
  readonly isLive: boolean;
  readonly columns: number;
  readonly text: (text: string) => void;
  /** One JSON document on a line of its own. */
  readonly json: (value: unknown) => void;
  readonly problem: (text: string) => void;
  /** Rewrites the live line; an empty text clears it. */
  readonly live: (text: string) => void;
};

export const createOutput = (isJson: boolean): Output => ({
  isJson,
  isLive: !isJson && process.stderr.isTTY === true,
  columns: process.stderr.columns ?? 80,
  text: (text) => {
    process.stdout.write(text);
  },
  json: (value) => {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  },
  problem: (text) => {
    process.stderr.write(`${text.trimEnd()}\n`);
  },
  live: (text) => {
    process.stderr.write(`\r\x1b[K${text}`);
  },
});
