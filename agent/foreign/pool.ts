import { Worker } from "node:worker_threads";
import type { Clock } from "../../shared/basics/clock.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { createThreadPool } from "../../shared/basics/thread-pool.ts";
import { fileError, TaskError } from "../../shared/model/failure.ts";
import type { Ask, Said } from "./foreign-worker.ts";
import { type InputOf, type OutputOf, type ReaderName, readers } from "./readers.ts";

type Wish = {
  /** How much there is to read, in bytes or characters. */
  readonly size: number;
  /** The name of what is read, for messages. */
  readonly what: string;
  readonly signal: AbortSignal;
};

/**
 * Reads foreign bytes: a few of them here, more in a thread with limits on time and memory. Whoever goes beyond them ends
 * with TaskError `media`, and nobody else waits for it. Other errors are those of the reader.
 */
export type ReadForeign = <N extends ReaderName>(name: N, input: InputOf<N>, wish: Wish) => Promise<OutputOf<N>>;

export type ForeignThreads = { readonly read: ReadForeign; stop(): void };

/** So much is read within milliseconds, sooner than a thread begins. */
const mostHere = 64 * 1024;
const atOnce = 4;
const idleMs = 10_000;
/** The largest honest file takes seconds, also beside other work. */
const usualMs = 120_000;
/** A text of 64 MB and what is made of it. Memory of byte arrays is bounded by the files' own limits. */
const usualMegabytes = 1024;

/** For tests: another program for the threads, and other limits. */
type Setting = { readonly file?: URL; readonly ms?: number; readonly megabytes?: number };

export const createForeignThreads = (
  clock: Clock,
  { file = siblingModule(import.meta.url, "foreign-worker"), ms = usualMs, megabytes = usualMegabytes }: Setting = {},
): ForeignThreads => {
  const resourceLimits = { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 };
  const open = () => new Worker(file, { env: {}, argv: [], stdin: false, resourceLimits });
  const pool = createThreadPool<Ask, Said>(open, { atOnce, idleMs, clock });

  const ask = async (question: Ask, { what, signal }: Wish): Promise<unknown> => {
    const said = await pool.ask(question, {
      ...{ ms, signal },
      late: () => fileError(`${what} takes more than ${ms / 1000} s to read, which no such file does`),
      broken: (why) => fileError(`${what} cannot be read within the limits for such files: ${why}`),
    });
    return readFrom(said, what);
  };

  return {
    read: async (name, input, wish) => {
      if (wish.size > mostHere) return (await ask({ name, input }, wish)) as never; // the reader of this name gave it
      const read = (await readers[name]()) as (input: unknown) => never; // the caller's types pair name and input
      return read(input);
    },
    stop: pool.stop,
  };
};

const readFrom = (said: Said, what: string): unknown => {
  if ("value" in said) return said.value;
  if ("fault" in said) throw fileError(`${what} cannot be read: ${said.fault}`);
  const { cause, message, ...more } = said.failure;
  throw new TaskError(cause, message, more);
};
