import type { Clock } from "../../shared/clock.ts";
import type { Change, StoreRefusal } from "../store/batch.ts";
import type { Store } from "../store/store.ts";
import { createBatches } from "./batches.ts";
import { type ChangeRequest, createDecider, type Decide } from "./decider.ts";
import type { Draft } from "./draft.ts";
import { Missing, type Needs } from "./missing.ts";
import { createPending } from "./pending.ts";
import { createRecovery } from "./recovery.ts";
import type { Values } from "./values.ts";
import { createWriting } from "./writing.ts";

export type Committer = {
  /**
   * Makes a decision in memory, in the order of the calls; missing rows are loaded before. Resolves, or rejects, once
   * everything decided until then is durable.
   */
  readonly change: <T>(jobIds: readonly number[], decide: Decide<T>) => Promise<T>;
  /** The same for changes that nobody waits for: they become durable with the next batch, or with the next `settle`. */
  readonly changeLater: Committer["change"];
  /** Schedules a run of the fillers soon. */
  readonly wake: () => void;
  /** The number of durable batches. */
  readonly commits: () => number;
  /** Writes pending changes; resolves when none are left. */
  readonly settle: () => Promise<void>;
};

export type Outside = {
  readonly store: Pick<Store, "write" | "leading">;
  readonly load: (needs: Needs) => Promise<void>;
  readonly values: Values;
  readonly epoch: number;
  readonly clock: Clock;
  /** Called at the end of every decision, within it. */
  readonly complete: (draft: Draft) => void;
  /** Updates the rest of memory after changes of rows: forward, and back if a batch was refused. */
  readonly follow: (changes: readonly Change[]) => void;
  /** Called before a batch is closed; its decisions join the batch. True if there is more to decide. */
  readonly fill: () => boolean;
  /** Assigns ready tasks to free slots. */
  readonly handOut: () => void;
  /** Another coordinator leads: this one must exit. */
  readonly fenced: (problem: StoreRefusal) => void;
};

/** After this many milliseconds in one turn of the loop, further decisions wait for the next turn. */
const longestMs = 10;

/**
 * Decides in memory and writes in batches: everything decided in one turn of the loop becomes durable together. Memory
 * may be ahead of the disk; answers and effects are released in the order of the decisions, each once its batch is
 * durable.
 */
export const createCommitter = (outside: Outside): Committer => {
  const { clock } = outside;
  const decider = createDecider(outside);
  const writer = createBatches(outside);
  const pending = createPending();
  const queue: ChangeRequest[] = [];
  let [isDeciding, hasMore] = [false, false];
  let turn: Promise<void> | undefined;

  const writing = createWriting({
    ...{ pending, write: writer.write, release: decider.release },
    recover: createRecovery({ decider, writer, fenced: outside.fenced }),
    isWanted: () => hasMore,
    onRoom: () => void wake(),
    onWritten: () => {
      outside.values.trim();
      if (!hasMore) return;
      hasMore = false;
      // Started work is assigned before waiting callers can request anything else.
      outside.handOut();
      void wake();
    },
  });

  const wake = (): Promise<void> => {
    turn ??= new Promise((done) => setImmediate(() => done(decideTurn())));
    return turn;
  };

  const decideTurn = async (): Promise<void> => {
    turn = undefined;
    if (isDeciding) return;
    isDeciding = true;
    await decideQueue();
    hasMore = outside.fill() || hasMore;
    await decideQueue();
    isDeciding = false;
    writing.start();
    if (queue.length > 0 && !pending.isFull()) void wake();
  };

  /** Runs queued decisions in order, as far as time allows. */
  const decideQueue = async (): Promise<void> => {
    const until = clock.monotonic() + longestMs;
    for (let request = queue[0]; request && !pending.isFull(); request = queue[0]) {
      if (writing.recovery()) await writing.recovery();
      const found = decider.decide(request);
      if (found instanceof Missing) await decider.load(request, found);
      else pending.add(found);
      if (!(found instanceof Missing) || request.isAnswered) queue.shift();
      if (clock.monotonic() >= until) return;
    }
  };

  const requesting =
    (isLater: boolean): Committer["change"] =>
    (jobIds, decide) =>
      new Promise((resolve, reject) => {
        // The queue holds changes of any type; each resolves with the result of its own decision.
        queue.push({ jobIds, decide, resolve: resolve as ChangeRequest["resolve"], reject, isAnswered: false });
        if (!isLater) void wake();
      });

  const settle = async (): Promise<void> => {
    while (queue.length + pending.count() > 0 || writing.current() || isDeciding) {
      await wake();
      await writing.current();
    }
  };

  return {
    change: requesting(false),
    changeLater: requesting(true),
    wake: () => void wake(),
    commits: writer.count,
    settle,
  };
};
