import { Worker } from "node:worker_threads";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { createThreadPool } from "../../shared/basics/thread-pool.ts";
import type { Spend } from "../../shared/model/definitions.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { createLines } from "../kernel/lines.ts";
import { type Asked, type Read, readJob } from "./read-job.ts";
import type { Said } from "./read-job-worker.ts";

export type JobReader = ReturnType<typeof createJobReader>;

const workerFile = siblingModule(import.meta.url, "read-job-worker");

/** So many characters are read within milliseconds, with all that definitions and presets put in. */
const mostHere = 24 * 1024;
/** What may wait of one caller: some hundreds of the largest jobs. */
const mostWaiting = 32_000_000;
const size = { atOnce: 2, idleMs: 60_000 };
/** Far more than the largest job takes on a busy machine, with the start of its thread. */
const longestMs = 120_000;
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/**
 * Reads small jobs here, and larger ones in threads, of each caller one at a time: the coordinator's loop goes on
 * meanwhile, and no caller has all threads.
 */
export const createJobReader = ({ clock, timeSlice }: { readonly clock: Clock } & Pick<Kernel, "timeSlice">) => {
  const pool = createThreadPool<Asked, Said>(() => new Worker(workerFile, { resourceLimits }), { ...size, clock });
  const inLine = createLines(mostWaiting);
  const patience = {
    ...{ ms: longestMs, signal: new AbortController().signal },
    late: () => tooMuch(`it takes longer than ${longestMs / 1000} s`),
    broken: tooMuch,
  };
  const readElsewhere = async (asked: Asked): Promise<Read> =>
    readFrom(await inLine(asked.sender.owner_id ?? "", asked.text.length, () => pool.ask(asked, patience)));
  return {
    /** Throws AppError VALIDATION_FAILED, naming each place. */
    read: async (asked: Asked, received: Record<string, unknown>): Promise<Read> => {
      if (asked.text.length > mostHere) return readElsewhere(asked);
      try {
        return await timeSlice(() => readJob(asked, received, spendUpTo(mostHere)), asked.text.length);
      } catch (problem) {
        if (!(problem instanceof Outgrown)) throw problem;
        return readElsewhere(asked);
      }
    },
    stop: pool.stop,
  };
};

/** Definitions or presets make a job larger than what is read here. */
class Outgrown extends Error {}

const spendUpTo = (most: number): Spend => {
  let spent = 0;
  return (characters) => {
    spent += characters;
    if (spent > most) throw new Outgrown();
  };
};

const readFrom = (said: Said): Read => {
  if ("refused" in said) throw new AppError(said.refused.code, said.refused.message, { details: said.refused.details });
  if ("fault" in said) throw new Error(said.fault);
  return said;
};

const tooMuch = (why: string): AppError =>
  new AppError("VALIDATION_FAILED", `The job cannot be read within the limits for jobs: ${why}`);
