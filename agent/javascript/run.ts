import { Worker } from "node:worker_threads";
import { z } from "zod";
import { type ScriptOutcome, scriptOutcome } from "../../media/results/script.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { answerOf } from "../../shared/basics/thread.ts";
import { definitionError, TaskError } from "../../shared/model/failure.ts";
import type { Said, Script } from "./javascript-worker.ts";

export type RunScript = (script: Script & { readonly signal: AbortSignal }) => Promise<ScriptOutcome>;

const workerFile = siblingModule(import.meta.url, "javascript-worker");

/** A script that ignores its own interruption gets no more than this. */
const graceMs = 2000;

/** The thread's own memory. The engine's heap is separate and bounded by the engine. */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const leftBehind = scriptOutcome.extend({ failure: z.string().max(2000).nullable() });

/**
 * Runs a script in its own engine and thread; the thread is killed when its time is up. Throws TaskError if the script
 * fails, cannot be read, or exceeds its limits.
 */
export const createRunScript =
  (clock: Clock): RunScript =>
  async ({ signal, ...script }) => {
    signal.throwIfAborted();
    const worker = new Worker(workerFile, { workerData: script, env: {}, argv: [], stdin: false, resourceLimits });
    const seconds = script.timeoutMs / 1000;
    try {
      const said = await answerOf<Said>(worker, {
        ...{ clock, signal, ms: script.timeoutMs + graceMs },
        late: () => new TaskError("timeout", `The script ran for more than ${seconds} s`),
        broken: (why) => new TaskError("resources", `The script's thread broke: ${why}`),
      });
      return outcomeOf(said, seconds);
    } finally {
      await worker.terminate();
    }
  };

const outcomeOf = (said: Said, seconds: number): ScriptOutcome => {
  const state = said.state === undefined ? undefined : leftBehind.safeParse(parsed(said.state));
  if (state?.data?.failure != null) throw new TaskError("media", `The script failed: ${state.data.failure}`);
  if ("problem" in said) throw problemOf(said.problem, seconds);
  if (!state?.success) {
    const [issue] = state?.error.issues ?? [];
    throw definitionError(`The script's result is not valid: ${issue?.message ?? "no JSON"}`);
  }
  const { variables, log } = state.data;
  return { variables, log };
};

const problemOf = (problem: string, seconds: number): TaskError => {
  if (/^(InternalError: )?interrupted/.test(problem))
    return new TaskError("timeout", `The script ran for more than ${seconds} s`);
  if (/out of memory/.test(problem)) return new TaskError("resources", "The script needs more memory than it may have");
  return definitionError(`The script broke: ${problem}`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
