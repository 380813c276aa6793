import { TaskError } from "../shared/causes.ts";
import { messageOf } from "../shared/errors.ts";
import type { Assignment, AttemptStats, AttemptStatus, Outcome, Progress } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { refuseMisfit } from "./fitting.ts";
import { clear, inspectPrevious, tempsOf } from "./previous-attempt.ts";
import { createProducer, type Producer, type ProducerNeeds } from "./producer.ts";
import { describePublished } from "./published.ts";
import type { Made } from "./records.ts";
import { type DeleteNeeds, deleteAll } from "./steps/delete.ts";
import { retry } from "./storage/retry.ts";
import { failureOf } from "./task-failure.ts";

export type AttemptNeeds = ProducerNeeds;

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
  const producer = createProducer(assignment, needs);
  options.events.onLog?.(producer.log);
  let made = options.made;
  try {
    const start = made ? { made, isShown: false } : await makeOrTakeOver(options, producer, needs);
    made = start.made;
    if (!start.isShown) made = await show(made, options, producer, needs);
    const published = await describePublished(made.intent, made.found, {
      ...{ storageOf: needs.view.storageOf, wanted: assignment.work.outputs },
    });
    await needs.records.removeTemps(assignment.fence, needs.view.storageOf);
    const uris = Object.values(published.outputs).flatMap((files) => files.map(({ uri }) => uri));
    await deleteAfter(assignment, producer, { signal, storageOf: needs.view.storageOf, made: uris });
    return { outcome: { outcome: "published", published }, stats: made.stats, log: made.log };
  } catch (error) {
    signal.throwIfAborted();
    const leftBehind = await removeTemps(assignment, needs);
    const outcome: Outcome = { outcome: "failed", failure: failureOf(error, needs.view.named) };
    return { outcome, stats: made?.stats ?? producer.stats(), log: (made?.log ?? producer.log.text()) + leftBehind };
  }
};

/** Deletes the sources once all outputs are published. Safe to repeat after a crash: missing files are ignored. */
const deleteAfter = async (
  { work: { after = [] } }: Assignment,
  { log }: Producer,
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
    return `\nTemporary files are left behind: ${messageOf(error)}\n`;
  }
};

type Start = { readonly made: Made; readonly isShown: boolean };

/** Continues the granted intent of an earlier attempt. Makes the outputs again only if its files are gone. */
const makeOrTakeOver = async (options: RunAttempt, producer: Producer, needs: AttemptNeeds): Promise<Start> => {
  const { assignment } = options;
  const { view, records } = needs;
  const previous = await inspectPrevious(assignment, view);
  if (previous === "none" || assignment.previousIntent === null)
    return { made: await make(options, producer), isShown: false };
  await records.begin(assignment, { mounts: view.mounts, temps: tempsOf(assignment.previousIntent) });
  producer.log.line("Using the files of an earlier attempt");
  const made = { intent: assignment.previousIntent, found: {}, stats: producer.stats(), log: producer.log.text() };
  return { made, isShown: previous === "published" };
};

const make = ({ signal, events }: RunAttempt, producer: Producer): Promise<Made> =>
  producer.make({ signal, onProgress: events.onProgress });

/**
 * Writes the intent to disk, gets the grant, publishes. Repeats this if a name was taken and another one was chosen, or
 * if the waiting files are gone and had to be made again.
 */
const show = async (made: Made, options: RunAttempt, producer: Producer, needs: AttemptNeeds): Promise<Made> => {
  if (made.intent.files.length === 0) return made;
  const { assignment, events, signal } = options;
  let now = made;
  for (let isAnew = false; ; ) {
    await needs.checkpoint("made");
    refuseMisfit({ type: "commit", fence: assignment.fence, intent: now.intent });
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
    producer.log.line(`Starting over: ${temp} is missing or has changed`);
    await clear(now.intent, needs.view);
    await needs.records.removeTemps(assignment.fence, needs.view.storageOf);
    now = await make(options, producer);
  }
  await needs.checkpoint("published");
  return now;
};
