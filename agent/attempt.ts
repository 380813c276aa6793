import { messageOf } from "../shared/errors.ts";
import type { Assignment, AttemptStats, HeldAttempt, Outcome, Progress } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { type EarlierNeeds, examineEarlier, tempsOf } from "./earlier.ts";
import { createMaking, type MakingNeeds } from "./making.ts";
import { describePublished } from "./published.ts";
import type { Made } from "./records.ts";
import { failureOf } from "./task-failure.ts";

export type AttemptNeeds = MakingNeeds & EarlierNeeds;

/** What an attempt tells and asks while it runs. */
type AttemptEvents = {
  readonly onState: (state: HeldAttempt["state"]) => void;
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
  const making = createMaking(assignment, needs);
  options.events.onLog?.(making.log);
  let made = options.made;
  try {
    const start = made ? { made, isShown: false } : await makeOrTakeOver(options, making, needs);
    made = start.made;
    const intent = start.isShown ? made.intent : await show(made, options, needs);
    const published = await describePublished(intent, made.found, needs.locator);
    await needs.records.removeTemps(assignment.fence);
    return { outcome: { outcome: "published", published }, stats: made.stats, log: made.log };
  } catch (error) {
    signal.throwIfAborted();
    const leftBehind = await removeTemps(assignment, needs);
    const outcome: Outcome = { outcome: "failed", failure: failureOf(error) };
    return { outcome, stats: made?.stats ?? making.stats(), log: (made?.log ?? making.log.text()) + leftBehind };
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
const makeOrTakeOver = async (
  { assignment, signal, events }: RunAttempt,
  making: ReturnType<typeof createMaking>,
  needs: AttemptNeeds,
): Promise<Start> => {
  const earlier = await examineEarlier(assignment, needs);
  if (earlier === "none" || assignment.earlier === null) {
    return { made: await making.make({ signal, onProgress: events.onProgress }), isShown: false };
  }
  await needs.records.begin(assignment, await tempsOf(assignment.earlier, needs.locator));
  making.log.line("Taken over: the files of an earlier attempt");
  const made = { intent: assignment.earlier, found: {}, stats: making.stats(), log: making.log.text() };
  return { made, isShown: earlier === "published" };
};

/** Intent to disk, grant, publish; once more where a name was taken meanwhile and another was chosen. */
const show = async (made: Made, { assignment, events }: RunAttempt, needs: AttemptNeeds): Promise<Intent> => {
  if (made.intent.files.length === 0) return made.intent;
  await needs.checkpoint("made");
  let { intent } = made;
  for (;;) {
    await needs.records.keepMade(assignment.fence, { ...made, intent });
    await needs.checkpoint("intended");
    events.onState("verified");
    await events.askGrant(intent);
    await needs.checkpoint("granted");
    const result = await needs.publisher.publish(intent);
    if (result.done) break;
    intent = result.intent;
  }
  await needs.checkpoint("published");
  return intent;
};
