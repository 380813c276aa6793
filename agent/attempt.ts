import { TaskError } from "../shared/causes.ts";
import { messageOf } from "../shared/errors.ts";
import type { Assignment, AttemptStats, AttemptStatus, Outcome, Progress } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { clear, inspectPrevious, tempsOf } from "./previous-attempt.ts";
import { createProducer, type Producer, type ProducerNeeds } from "./producer.ts";
import { describePublished } from "./published.ts";
import type { Made } from "./records.ts";
import { failureOf } from "./task-failure.ts";

export type AttemptNeeds = ProducerNeeds;

/** What an attempt tells and asks while it runs. */
type AttemptEvents = {
  readonly onState: (state: AttemptStatus["state"]) => void;
  readonly onProgress: (progress: Progress) => void;
  /** Where it writes what happens. */
  readonly onLog?: (log: AttemptLog) => void;
  /** Resolves when the coordinator grants that these files may be shown; rejects when the signal aborts. */
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
 * One attempt from assignment to outcome. Every failure becomes an outcome, with the attempt's temporary files gone;
 * only an abort rejects: then nothing is to be reported.
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
    const published = await describePublished(made.intent, made.found, needs.view.storageOf);
    await needs.records.removeTemps(assignment.fence);
    return { outcome: { outcome: "published", published }, stats: made.stats, log: made.log };
  } catch (error) {
    signal.throwIfAborted();
    const leftBehind = await removeTemps(assignment, needs);
    const outcome: Outcome = { outcome: "failed", failure: failureOf(error) };
    return { outcome, stats: made?.stats ?? producer.stats(), log: (made?.log ?? producer.log.text()) + leftBehind };
  }
};

/** A folder that cannot be reached any more must not hide why the attempt failed: that goes into its log. */
const removeTemps = async ({ fence }: Assignment, { records }: AttemptNeeds): Promise<string> => {
  try {
    await records.removeTemps(fence);
    return "";
  } catch (error) {
    return `\nTemporary files are left behind: ${messageOf(error)}\n`;
  }
};

type Start = { readonly made: Made; readonly isShown: boolean };

/** What an earlier attempt was granted goes first; only if that is gone is anything made anew. */
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
 * Intent to disk, grant, publish; once more where a name was taken meanwhile and another was chosen, and where what
 * waited to be shown is gone and had to be made anew.
 */
const show = async (made: Made, options: RunAttempt, producer: Producer, needs: AttemptNeeds): Promise<Made> => {
  if (made.intent.files.length === 0) return made;
  const { assignment, events } = options;
  let now = made;
  for (let isAnew = false; ; ) {
    await needs.checkpoint("made");
    await needs.records.keepMade(assignment.fence, now);
    await needs.checkpoint("intended");
    events.onState("verified");
    await events.askGrant(now.intent);
    await needs.checkpoint("granted");
    const result = await needs.view.publisher.publish(now.intent);
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
    await needs.records.removeTemps(assignment.fence);
    now = await make(options, producer);
  }
  await needs.checkpoint("published");
  return now;
};
