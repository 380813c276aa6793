import type { Clock } from "../../shared/basics/clock.ts";
import type { Assignment, Progress } from "../../shared/protocol/messages.ts";
import type { Published } from "../../shared/work/work.ts";
import type { ResolvedPaths } from "../paths/resolved-paths.ts";
import type { StorageView } from "../paths/storage-view.ts";
import type { Usage } from "../process/usage.ts";
import type { AttemptLog } from "../steps/attempt-log.ts";
import { performStep } from "../steps/index.ts";
import type { MediaTools } from "../tools/media-tools.ts";
import type { Services } from "../tools/services.ts";
import { createAttemptResults } from "./results.ts";
import { createSecretReader } from "./secret-reader.ts";

type StepsNeeds = {
  readonly view: StorageView;
  readonly tools: MediaTools;
  readonly services: Services;
  readonly clock: Clock;
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  readonly log: AttemptLog;
  /** A folder of this attempt. */
  readonly scratch: string;
};

type Performing = {
  readonly signal: AbortSignal;
  /** The progress of the step at this position. */
  readonly onProgress: (progress: Progress, index: number) => void;
};

/** Performs the steps of an attempt in order, and collects what they use and return. */
export const createAttemptSteps = (assignment: Assignment, needs: StepsNeeds) => {
  const { work } = assignment;
  const { tools, services, clock, log, scratch, view } = needs;
  const { results, keepResult, addTo } = createAttemptResults();
  const secret = createSecretReader(assignment);
  let usage: Usage = {};
  return {
    /** The processor time in milliseconds and peak memory in bytes so far. */
    usage: (): Usage => usage,
    /** Adds the steps' results to an intent. */
    addResultsTo: addTo,
    /** What the steps found, by step id. */
    performAll: async (paths: ResolvedPaths, { signal, onProgress }: Performing): Promise<Published["found"]> => {
      const pause = async () => needs.pause?.(signal);
      const found: Published["found"] = {};
      for (const [index, step] of work.steps.entries()) {
        signal.throwIfAborted();
        await pause();
        const result = await performStep(step, {
          ...{ work, pause, paths, clock, tools, services, log, signal, secret, scratch, results, keepResult },
          ...{ resolver: view.resolver, storageOf: view.storageOf },
          onProgress: (progress) => onProgress(progress, index),
          onUsage: (more) => {
            usage = sum(usage, more);
          },
        });
        if (result) found[step.id] = result;
      }
      return found;
    },
  };
};

const sum = (before: Usage, more: Usage): Usage => ({
  cpuMs: more.cpuMs === undefined ? before.cpuMs : (before.cpuMs ?? 0) + more.cpuMs,
  peakMemory: more.peakMemory === undefined ? before.peakMemory : Math.max(before.peakMemory ?? 0, more.peakMemory),
});
