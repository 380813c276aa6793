import type { Clock } from "../shared/clock.ts";
import { messageOf } from "../shared/errors.ts";
import type { Assignment, AttemptStats, Progress } from "../shared/protocol.ts";
import type { Published, StepKind, Work } from "../shared/work.ts";
import { applyExisting } from "./apply-existing.ts";
import { type AttemptLog, createAttemptLog } from "./attempt-log.ts";
import { createAttemptResults } from "./attempt-results.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { explainingDamage } from "./explain-damage.ts";
import { needsLists, writeInputLists } from "./input-lists.ts";
import { readByTools, refuseUnsafeInputs } from "./inputs.ts";
import { refuseLongIntent } from "./intent-size.ts";
import type { MediaTools } from "./media-tools.ts";
import { isMadeInPlace, type ResolvedOutput, type ResolvedPaths } from "./path-resolver.ts";
import type { Made, Records } from "./records.ts";
import { refuseExchanged, refuseWrittenTo } from "./resolve-file.ts";
import { secretReaderOf } from "./secret-reader.ts";
import type { Services } from "./services.ts";
import { stageOutputs } from "./staging.ts";
import { performStep } from "./steps/index.ts";
import { createByteThrottle, createPace, type Pace } from "./storage/byte-throttle.ts";
import type { StorageOf } from "./storage/index.ts";
import { retry } from "./storage/retry.ts";
import type { StorageView } from "./storage-view.ts";
import { verifyOutputs } from "./verify.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

export type ProducerNeeds = {
  readonly view: StorageView;
  readonly tools: MediaTools;
  readonly services: Services;
  /** Resolves when work may continue. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
  readonly records: Records;
  readonly clock: Clock;
  readonly checkpoint: Checkpoint;
};

export type Producer = {
  readonly log: AttemptLog;
  stats(): AttemptStats;
  /** Runs the steps and verifies the outputs. Ends with files that wait under temporary names. */
  make(options: { signal: AbortSignal; onProgress: (progress: Progress) => void }): Promise<Made>;
};

export const createProducer = (assignment: Assignment, needs: ProducerNeeds): Producer => {
  const { fence, work } = assignment;
  const startedAt = needs.clock.monotonic();
  const log = createAttemptLog(needs.view.named);
  for (const note of work.notes ?? []) log.line(`Note: ${note}`);
  let usage: Omit<AttemptStats, "wallMs"> = {};
  const stats = (): AttemptStats => ({ wallMs: needs.clock.monotonic() - startedAt, ...usage });

  const scratch = needs.records.scratch(fence);
  const { resolver, mounts, storageOf } = needs.view;

  /** Waits for a server that restarts just now. What it does may be repeated. */
  const patiently = <T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> =>
    retry({
      ...{ clock: needs.clock, patience: needs.view.patience, signal, act },
      onBreak: (error) => log.line(`${messageOf(error)}. It is tried again`),
    });

  const prepare = async (dog: Watchdog, onProgress: (progress: Progress) => void): Promise<ResolvedPaths> => {
    const listener = {
      signal: dog.signal,
      onBytes: (bytes: number, of: number) => {
        dog.moved({ bytes });
        onProgress({ bytes, ...(of > 0 && { percent: 0 }) });
      },
      onBreak: log.line,
    };
    const paths = await resolver.resolve(work, { fence, scratch }, listener);
    await refuseUnsafeInputs(work, paths);
    const outputs = [...paths.outputs.values()];
    const temps = outputs.flatMap(({ tempUri, madeUri }) => [...new Set([tempUri, madeUri ?? tempUri])]);
    if (leavesTraces(work) || needsLists(paths)) await needs.records.begin(assignment, { mounts, temps });
    await needs.checkpoint("recorded");
    await writeInputLists(paths);
    const opened = new Map<string, ResolvedOutput>();
    for (const place of outputs) {
      await patiently(dog.signal, () => prepareOutput(place, storageOf));
      opened.set(place.id, await needs.view.open(place));
    }
    return { inputs: paths.inputs, outputs: opened };
  };

  const { results, keepResult, addTo } = createAttemptResults();
  const secret = secretReaderOf(assignment);

  /** What the steps found, by step. */
  const performAll = async (
    paths: ResolvedPaths,
    dog: Watchdog,
    onProgress: (progress: Progress, index: number) => void,
  ): Promise<Published["found"]> => {
    const { signal } = dog;
    const { tools, services, clock } = needs;
    const pause = async () => needs.pause?.(signal);
    const found: Published["found"] = {};
    for (const [index, step] of work.steps.entries()) {
      signal.throwIfAborted();
      await pause();
      const result = await performStep(step, {
        ...{ work, pause, paths, resolver, storageOf, clock, tools, services, log, signal },
        ...{ secret, scratch, results, keepResult },
        onProgress: (progress) => {
          dog.moved(progress);
          onProgress(progress, index);
        },
        onUsage: (more) => {
          usage = sum(usage, more);
        },
      });
      if (result) found[step.id] = result;
    }
    return found;
  };

  const makeAll = async (dog: Watchdog, onProgress: (progress: Progress) => void): Promise<Made> => {
    const { signal } = dog;
    const paths = await prepare(dog, onProgress);
    const inputs = [...paths.inputs.values()].flatMap(({ files }) => files);
    const isSent = [...paths.outputs.values()].some((place) => !isMadeInPlace(place));
    const parts = work.steps.length + (isSent ? 1 : 0);
    const { verified, found } = await explainingDamage(readByTools(work, paths), log, async () => {
      const found = await performAll(paths, dog, (progress, index) => onProgress(ofWhole(progress, index, parts)));
      dog.moved();
      await refuseExchanged(inputs);
      const verify = () => verifyOutputs({ work, paths, tools: needs.tools, signal });
      return { found, verified: await patiently(signal, verify) };
    });
    refuseLongIntent({ files: verified.map(({ file }) => file) });
    const total = verified.reduce((sum, { file }) => sum + file.size, 0);
    const opened = (address: string) => needs.records.addTemp(fence, address);
    const { checkpoint } = needs;
    const staged = await stageOutputs(verified, {
      checkpoint,
      opened,
      signal,
      pace: paceOf(work, signal, needs),
      onBytes: (bytes) => {
        dog.moved({ bytes });
        onProgress(ofWhole({ bytes, percent: (bytes / Math.max(1, total)) * 100 }, work.steps.length, parts));
      },
      onBreak: log.line,
      patiently: (act) => patiently(signal, act),
    });
    if (isSent) await refuseWrittenTo(inputs.filter(({ isHeld }) => isHeld));
    return { intent: addTo(staged), found, stats: stats(), log: log.text() };
  };

  return {
    log,
    stats,
    make: async ({ signal: outer, onProgress }) => {
      const dog = createWatchdog(needs.clock, assignment.limits, outer);
      return dog.race(makeAll(dog, onProgress)).finally(dog.stop);
    },
  };
};

/** Sending keeps to the limit of a copy, and stands still with the other work. */
const paceOf = ({ steps }: Work, signal: AbortSignal, { clock, pause }: ProducerNeeds): Pace => {
  const limit = steps.flatMap((step) => (step.do === "copy" ? (step.throttle ?? []) : []))[0];
  const throttle = createByteThrottle(limit, clock);
  return createPace(limit, async (bytes) => {
    await throttle(bytes, signal);
    await pause?.(signal);
  });
};

/** Steps that only read files leave nothing behind for the next agent to clean up. */
const leavesTraces = ({ steps }: Work): boolean => steps.some((step) => !onlyReads.has(step.do));

const onlyReads: ReadonlySet<StepKind> = new Set([
  "probe",
  "list",
  "manifest",
  "frames",
  "request",
  "email",
  "javascript",
]);

const prepareOutput = async (place: ResolvedOutput, storageOf: StorageOf): Promise<void> => {
  const { output, storage } = place;
  await storage.prepare(output.folder);
  const folder = output.temp?.folder;
  if (folder !== undefined) await storageOf(folder).prepare(folder);
  await applyExisting(place);
};

/** Every step counts the same, however long it takes; so does sending what they made. */
const ofWhole = (progress: Progress, index: number, steps: number): Progress =>
  progress.percent === undefined
    ? progress
    : { ...progress, percent: ((index + progress.percent / 100) / steps) * 100 };

type Usage = Omit<AttemptStats, "wallMs">;

const sum = (before: Usage, more: Usage): Usage => ({
  cpuMs: more.cpuMs === undefined ? before.cpuMs : (before.cpuMs ?? 0) + more.cpuMs,
  peakMemory: more.peakMemory === undefined ? before.peakMemory : Math.max(before.peakMemory ?? 0, more.peakMemory),
});
