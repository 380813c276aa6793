import { messageOf } from "../../shared/basics/errors.ts";
import { TaskError } from "../../shared/model/failure.ts";
import type { Assignment, AttemptStats, AttemptStatus, Outcome, Progress } from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";
import { toFailure } from "../disk/task-failure.ts";
import type { AttemptLog } from "../steps/attempt-log.ts";
import { type DeleteNeeds, deleteAll } from "../steps/files/delete.ts";
import { retry } from "../storage/retry.ts";
import { createExecution, type Execution, type ExecutionNeeds } from "./execution.ts";
import { refuseInvalidMessage } from "./message-limits.ts";
import { clear, doubtPrevious, inspectPrevious, listTemporaryFiles } from "./previous-attempt.ts";
import { describePublished } from "./published.ts";
import type { Made } from "./records.ts";

export type AttemptNeeds = ExecutionNeeds;

/** Events and requests of a running attempt. */
type AttemptEvents = {
  readonly onState: (state: AttemptStatus["state"]) => void;
  readonly onProgress: (progress: Progress) => void;
  /** Called once with the attempt's log. */
  readonly onLog?: (log: AttemptLog) => void;
  /** Resolves when the coordinator grants publishing these files; rejects when the signal aborts. */
  readonly askGrant: (intent: Intent) => Promise<void>;
};

export type Ended = { readonly outcome: Outcome; readonly stats: AttemptStats; readonly log: string };

export type RunAttempt = {
  readonly assignment: Assignment;
  /** From disk: the attempt was verified when an earlier agent died. */
  readonly made: Made | undefined;
  readonly signal: AbortSignal;
  readonly events: AttemptEvents;
};

/**
 * Runs one attempt from assignment to outcome. Every failure becomes an outcome, with the temporary files deleted.
 * Rejects only when aborted: then nothing is reported.
 */
export const runAttempt = async (options: RunAttempt, needs: AttemptNeeds): Promise<Ended> => {
  const { assignment, signal } = options;
  const execution = createExecution(assignment, needs);
  options.events.onLog?.(execution.log);
  let made = options.made;
  try {
    const start = made ? { made, isShown: false } : await makeOrTakeOver(options, execution, needs);
    made = start.made;
    if (!start.isShown) made = await show(made, options, execution, needs);
    const published = await describePublished(made.intent, made.found, {
      ...{ storageOf: needs.view.storageOf, wanted: assignment.work.outputs },
    });
    await needs.records.removeTemps(assignment.fence, needs.view.storageOf);
    const uris = Object.values(published.outputs).flatMap((files) => files.map(({ uri }) => uri));
    await deleteAfter(assignment, execution, { signal, storageOf: needs.view.storageOf, made: uris });
    return { outcome: { outcome: "published", published }, stats: made.stats, log: made.log };
  } catch (error) {
    signal.throwIfAborted();
    const leftBehind = await removeTemps(assignment, needs);
    const outcome: Outcome = { outcome: "failed", failure: toFailure(error, needs.view.named) };
    return { outcome, stats: made?.stats ?? execution.stats(), log: (made?.log ?? execution.log.text()) + leftBehind };
  }
};

/** Deletes the sources once all outputs are published. Safe to repeat after a crash: missing files are ignored. */
const deleteAfter = async (
  { work: { after = [] } }: Assignment,
  { log }: Execution,
  needs: Omit<DeleteNeeds, "log">,
): Promise<void> => {
  for (const step of after) await deleteAll(step, { ...needs, log });
};

/** An unreachable folder must not hide the reason of the failure, so that error is only logged. */
const removeTemps = async ({ fence }: Assignment, { records, view }: AttemptNeeds): Promise<string> => {
  try {
    await records.removeTemps(fence, view.storageOf);
    return "";
  } catch (error) {
    return `\nTemporary files are left behind: ${view.named(messageOf(error))}\n`;
  }
};

type Start = { readonly made: Made; readonly isShown: boolean };

/** Continues the granted intent of an earlier attempt. Makes the outputs again only if its files are gone. */
const makeOrTakeOver = async (options: RunAttempt, execution: Execution, needs: AttemptNeeds): Promise<Start> => {
  const { assignment } = options;
  const { view, records } = needs;
  const doubt = doubtPrevious(assignment);
  if (doubt !== undefined) execution.log.line(`The files of an earlier attempt are left alone: it wanted to ${doubt}`);
  const previous = doubt === undefined ? await inspectPrevious(assignment, view) : "none";
  if (previous === "none" || assignment.previousIntent === null)
    return { made: await make(options, execution), isShown: false };
  await records.begin(assignment, { mounts: view.mounts, temps: listTemporaryFiles(assignment.previousIntent) });
  execution.log.line("Using the files of an earlier attempt");
  const made = { intent: assignment.previousIntent, found: {}, stats: execution.stats(), log: execution.log.text() };
  return { made, isShown: previous === "published" };
};

const make = ({ signal, events }: RunAttempt, execution: Execution): Promise<Made> =>
  execution.make({ signal, onProgress: events.onProgress });

/**
 * Writes the intent to disk, gets the grant, publishes. Repeats this if a name was taken and another one was chosen, or
 * if the waiting files are gone and had to be made again.
 */
const show = async (made: Made, options: RunAttempt, execution: Execution, needs: AttemptNeeds): Promise<Made> => {
  if (made.intent.files.length === 0) return made;
  const { assignment, events, signal } = options;
  let now = made;
  for (let isAnew = false; ; ) {
    await needs.checkpoint("made");
    refuseInvalidMessage({ type: "commit", fence: assignment.fence, intent: now.intent });
    await needs.records.keepMade(assignment.fence, now);
    await needs.checkpoint("intended");
    events.onState("verified");
    await events.askGrant(now.intent);
    await needs.checkpoint("granted");
    const { intent } = now;
    // After all the work a server that restarts just now is waited for.
    const result = await retry({
      ...{ clock: needs.clock, patience: needs.view.patience, signal },
      act: () => needs.view.publisher.publish(intent),
    });
    if (result.outcome === "done") break;
    if (result.outcome === "renamed") {
      now = { ...now, intent: result.intent };
      continue;
    }
    const { temp, final } = result.file;
    if (isAnew) throw new TaskError("storage", `${temp} is missing or has changed: ${final} cannot be published`);
    isAnew = true;
    execution.log.line(`Starting over: ${temp} is missing or has changed`);
    await clear(now.intent, needs.view);
    await needs.records.removeTemps(assignment.fence, needs.view.storageOf);
    now = await make(options, execution);
  }
  await needs.checkpoint("published");
  return now;
};
