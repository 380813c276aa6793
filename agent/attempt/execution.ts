import type { Clock } from "../../shared/basics/clock.ts";
import { messageOf } from "../../shared/basics/errors.ts";
import type { Assignment, AttemptStats, Progress } from "../../shared/protocol/messages.ts";
import type { Intent, Work } from "../../shared/work/work.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { readByTools } from "../paths/input-guard.ts";
import { refuseExchanged, refuseWrittenTo } from "../paths/resolve-file.ts";
import { isMadeInPlace } from "../paths/resolved-paths.ts";
import type { StorageView } from "../paths/storage-view.ts";
import { type AttemptLog, createAttemptLog } from "../steps/attempt-log.ts";
import { createByteThrottle, createPace, type Pace } from "../storage/byte-throttle.ts";
import { retry } from "../storage/retry.ts";
import type { MediaTools } from "../tools/media-tools.ts";
import type { Services } from "../tools/services.ts";
import { withDamageExplained } from "./damage.ts";
import { refuseLongIntent } from "./intent-size.ts";
import { preparePaths } from "./paths.ts";
import type { Made, Records } from "./records.ts";
import { stageOutputs } from "./staging.ts";
import { createAttemptSteps } from "./steps.ts";
import { type Verified, verifyOutputs } from "./verify.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

export type ExecutionNeeds = {
  readonly view: StorageView;
  readonly tools: MediaTools;
  readonly services: Services;
  /** Resolves when work may continue. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  /** Resolves once the coordinator has answered since, so that an order that it took back has been dropped. */
  readonly confirm: (signal: AbortSignal) => Promise<void>;
  readonly records: Records;
  readonly clock: Clock;
  readonly checkpoint: Checkpoint;
};

export type Execution = {
  readonly log: AttemptLog;
  stats(): AttemptStats;
  /** Runs the steps and verifies the outputs. Ends with files that wait under temporary names. */
  make(options: { signal: AbortSignal; onProgress: (progress: Progress) => void }): Promise<Made>;
};

export const createExecution = (assignment: Assignment, needs: ExecutionNeeds): Execution => {
  const { clock, view } = needs;
  const startedAt = clock.monotonic();
  const log = createAttemptLog(view.named);
  for (const note of assignment.work.notes ?? []) log.line(`Note: ${note}`);
  const steps = createAttemptSteps(assignment, { ...needs, log, scratch: needs.records.scratch(assignment.fence) });
  const stats = (): AttemptStats => ({ wallMs: clock.monotonic() - startedAt, ...steps.usage() });
  return {
    log,
    stats,
    make: async ({ signal: outer, onProgress }) => {
      const dog = createWatchdog(clock, assignment.limits, outer);
      const tell = (moved: Progress, told = moved): void => {
        dog.moved(moved);
        onProgress(told);
      };
      /** Waits while a server restarts. The action may be repeated. */
      const patiently = <T>(act: () => Promise<T>): Promise<T> =>
        retry({
          ...{ clock, patience: view.patience, signal: dog.signal, act },
          onBreak: (error) => log.line(`${messageOf(error)}. It is tried again`),
        });
      const made = makeAll(assignment, needs, { steps, log, dog, tell, patiently });
      const ended = made.then((staged) => ({ ...staged, stats: stats(), log: log.text() }));
      return dog.race(ended).finally(dog.stop);
    },
  };
};

type Making = {
  readonly steps: ReturnType<typeof createAttemptSteps>;
  readonly log: AttemptLog;
  readonly dog: Watchdog;
  /** Tells the watchdog what moved, and listeners the same or the given progress of the whole attempt. */
  readonly tell: (moved: Progress, told?: Progress) => void;
  readonly patiently: <T>(act: () => Promise<T>) => Promise<T>;
};

/** The phases of an attempt: prepare, perform and verify, stage. */
const makeAll = async (
  assignment: Assignment,
  needs: ExecutionNeeds,
  making: Making,
): Promise<Pick<Made, "intent" | "found">> => {
  const { work } = assignment;
  const { steps, log, dog, tell, patiently } = making;
  const { signal } = dog;
  const onBytes = (bytes: number, of: number) => tell({ bytes }, { bytes, ...(of > 0 && { percent: 0 }) });
  const paths = await preparePaths(assignment, needs, { signal, onBytes, onBreak: log.line, patiently });
  const inputs = [...paths.inputs.values()].flatMap(({ files }) => files);
  const isSent = [...paths.outputs.values()].some((place) => !isMadeInPlace(place));
  const parts = work.steps.length + (isSent ? 1 : 0);
  const { verified, found } = await withDamageExplained(readByTools(work, paths), log, async () => {
    const onProgress = (progress: Progress, index: number) => tell(progress, ofWhole(progress, index, parts));
    const found = await steps.performAll(paths, { signal, onProgress });
    dog.moved();
    await refuseExchanged(inputs);
    const verify = () => verifyOutputs({ work, paths, tools: needs.tools, signal, moved: dog.moved });
    return { found, verified: await patiently(verify) };
  });
  const staged = await stage(assignment, needs, { ...making, verified, parts });
  if (isSent) await refuseWrittenTo(inputs.filter(({ isOpened }) => isOpened));
  return { intent: steps.addResultsTo(staged), found };
};

type Staged = Making & { readonly verified: readonly Verified[]; readonly parts: number };

const stage = (
  { work, fence }: Assignment,
  needs: ExecutionNeeds,
  { verified, parts, log, dog, tell, patiently }: Staged,
): Promise<Intent> => {
  refuseLongIntent({ files: verified.map(({ file }) => file) });
  const total = verified.reduce((sum, { file }) => sum + file.size, 0);
  return stageOutputs(verified, {
    checkpoint: needs.checkpoint,
    opened: (address) => needs.records.addTemp(fence, address),
    signal: dog.signal,
    pace: paceOf(work, dog.signal, needs),
    onBytes: (bytes) => {
      const percent = (bytes / Math.max(1, total)) * 100;
      tell({ bytes }, ofWhole({ bytes, percent }, work.steps.length, parts));
    },
    onBreak: log.line,
    patiently,
  });
};

/** Sending keeps to the limit of a copy, and stands still with the other work. */
const paceOf = ({ steps }: Work, signal: AbortSignal, { clock, pause }: ExecutionNeeds): Pace => {
  const limit = steps.flatMap((step) => (step.do === "copy" ? (step.throttle ?? []) : []))[0];
  const throttle = createByteThrottle(limit, clock);
  return createPace(limit, async (bytes) => {
    await throttle(bytes, signal);
    await pause?.(signal);
  });
};

/** Every step counts the same, however long it takes; so does sending what they made. */
const ofWhole = (progress: Progress, index: number, steps: number): Progress =>
  progress.percent === undefined
    ? progress
    : { ...progress, percent: ((index + progress.percent / 100) / steps) * 100 };
