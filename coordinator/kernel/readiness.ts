import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { isUnavailable, messageOf } from "../../shared/basics/errors.ts";
import type { Log } from "../log.ts";
import { StoreRefusal } from "../store/batch.ts";
import { failing } from "../store/failing.ts";
import type { Store } from "../store/store.ts";

type ReadinessNeeds = { readonly store: Store; readonly epoch: number; readonly clock: Clock; readonly log: Log };

/** The outcome of the last write is good enough this long: anybody may ask, and asking must not wear out the disk. */
const freshMs = 5_000;
/** A failure that goes on is logged once in this time. */
const quietMs = 60_000;
/** Who is not looking is told of a failure that was seen in this time. */
const toldMs = 600_000;
/** A store that takes longer cannot be worked with. */
const patienceMs = 2_000;

/** Whether the farm can really work: this coordinator leads, its store takes what is decided, and gives what is asked for. */
export const createReadiness = ({ store, epoch, clock, log }: ReadinessNeeds) => {
  let last: { readonly isReady: boolean; readonly at: number } | undefined;
  let trial: Promise<void> | undefined;
  /** When a read, or an operation of its own, failed last. */
  let failed: number | undefined;
  /** The same, or a batch that was not taken. */
  let trouble: { readonly at: number; readonly message: string } | undefined;

  /** Logs when it changes, and not each of the many decisions that fail meanwhile. */
  const note = (isReady: boolean, problem?: unknown): void => {
    if (!isReady && last?.isReady !== false) log.error({ err: problem }, "the store takes no changes");
    if (isReady && last?.isReady === false) log.warn("the store takes changes again");
    last = { isReady, at: clock.monotonic() };
  };

  /** Told once while it goes on: one damaged page may be asked for all the time. */
  const noteFailure = (problem: unknown): void => {
    const now = clock.monotonic();
    if (failed === undefined || now > failed + quietMs) log.error({ err: problem }, "the store fails");
    failed = now;
    trouble = { at: now, message: messageOf(problem) };
  };

  /** The store, of which is noted when it fails: reads do not show in what is written. */
  const watched = failing(store, (problem) => {
    if (isUnavailable(problem) && !store.closing.aborted) noteFailure(problem);
    return problem;
  });

  const write: Store["write"] = async (batch) => {
    try {
      await watched.write(batch);
      note(true);
    } catch (problem) {
      if (isOfStore(problem)) {
        note(false, problem);
        trouble = { at: clock.monotonic(), message: messageOf(problem) };
      }
      throw problem;
    }
  };

  /** Writes a record of its own, since there may be nothing to decide for hours. */
  const tryOut = async (): Promise<void> => {
    try {
      const isLeading = (await store.leading()).epoch === epoch;
      if (isLeading) await store.records.change("farm", "last_trial", () => String(clock.now()));
      note(isLeading);
    } catch (problem) {
      note(false, problem);
    }
    trial = undefined;
  };

  const isReady = async (): Promise<boolean> => {
    if (failed !== undefined && clock.monotonic() < failed + freshMs) return false;
    if (last && clock.monotonic() < last.at + freshMs) return last.isReady;
    trial ??= tryOut();
    const patience = new AbortController();
    const isAnswered = trial.then(() => true);
    const isLate = sleep(clock, patienceMs, patience.signal).then(() => false);
    const hasEnded = await Promise.race([isAnswered, isLate]);
    patience.abort();
    return hasEnded && last?.isReady === true;
  };

  const storeTrouble = (): string | undefined =>
    trouble && clock.monotonic() < trouble.at + toldMs ? trouble.message : undefined;

  return { write, isReady, store: watched, storeTrouble };
};

/** Of a decision that is refused for its content the store knows nothing, unless it says that a page is damaged. */
const isOfStore = (problem: unknown): boolean =>
  !(problem instanceof StoreRefusal) || problem.kind !== "content" || isUnavailable(problem.cause);
