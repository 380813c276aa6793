import { type BatchWriterNeeds, createBatchWriter } from "./batch-writer.ts";
import type { MissingRows } from "./cache-miss.ts";
import { createDecider, type DeciderNeeds } from "./decider.ts";
import { createPendingLoads } from "./pending-loads.ts";
import { createReadyDecisions } from "./ready-decisions.ts";
import { createRequestLines, createRequests, type Decide } from "./request-lines.ts";
import { createRest } from "./rest.ts";
import type { Transaction } from "./transaction.ts";

export type Committer = {
  /**
   * Makes a decision in memory about these jobs, or these rows; missing ones are loaded before. Decisions about one row
   * are made in the order of the calls. Resolves, or rejects, once everything decided until then is durable.
   */
  readonly change: <T>(about: readonly number[] | MissingRows, decide: Decide<T>) => Promise<T>;
  /** The same for changes that nobody waits for: they become durable with the next batch, or with the next `settle`. */
  readonly changeLater: Committer["change"];
  /** Schedules a run of the fillers soon. */
  readonly wake: () => void;
  /** The number of durable batches. */
  readonly commits: () => number;
  /** Writes pending changes; resolves when none are left. */
  readonly settle: () => Promise<void>;
};

export type CommitterNeeds = DeciderNeeds &
  BatchWriterNeeds & {
    readonly load: (needs: MissingRows) => Promise<void>;
    /** Called before a batch is closed; its decisions join the batch. True if there is more to decide. */
    readonly assignAndBegin: () => boolean;
    /** Assigns ready tasks to free slots. */
    readonly assignReady: () => void;
  };

/**
 * Decides in memory and writes in batches: everything decided in one turn of the loop becomes durable together. Memory
 * may be ahead of the disk; answers and effects are released in the order of the decisions, each once its batch is
 * durable. A decision whose rows must be loaded waits, and with it only later ones that need the same rows.
 */
export const createCommitter = (outside: CommitterNeeds): Committer => {
  const { values, assignAndBegin, assignReady } = outside;
  const lines = createRequestLines();
  const request = createRequests(lines.enter);
  const decider = createDecider(outside);
  let [hasMore, isDeciding] = [false, false];
  let turn: Promise<void> | undefined;

  const wake = (): Promise<void> => {
    turn ??= nextTurn().then(takeTurn);
    return turn;
  };
  const loads = createPendingLoads(outside.load, lines, () => void wake());
  const rest = createRest(outside.clock, () => void wake());
  const writer = createBatchWriter(outside, {
    ...{ release: decider.release, undo: decider.undo, repeat: lines.enter, onAnswer: rest.follow },
    onRoom: () => {
      if (lines.first()) void wake();
    },
    onWritten: () => {
      values.trim(lines.isAwaited);
      if (!hasMore || rest.isOn()) return;
      hasMore = false;
      // Started work is assigned before waiting callers can request anything else.
      assignReady();
      void wake();
    },
  });

  const ready = createReadyDecisions({ ...outside, nextTurn, lines, loads, decider, writer });

  const takeTurn = async (): Promise<void> => {
    turn = undefined;
    if (isDeciding) return;
    isDeciding = true;
    await ready.decide();
    // What an undone decision gives or takes is not known before it was repeated.
    hasMore = writer.isRepeating() || (!rest.isOn() && assignAndBegin()) || hasMore;
    await ready.decide();
    isDeciding = false;
    if (!writer.isEmpty() || hasMore) writer.start();
    if (ready.next()) void wake();
  };

  return {
    change: (about, decide) => {
      void wake();
      return request(about, decide);
    },
    changeLater: request,
    wake: () => void wake(),
    commits: writer.count,
    settle: async () => {
      while (lines.count() > 0 || !writer.isEmpty() || writer.current() || isDeciding) {
        await wake();
        await (writer.current() ?? loads.all()[0]);
      }
    },
  };
};

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Decides about each of these in a decision of its own, so that no job waits until another one is loaded. */
export const changeEach = async <T extends { readonly jobId: number }>(
  { change }: Pick<Committer, "change">,
  all: Iterable<T>,
  decide: (draft: Transaction, one: T) => void,
): Promise<void> => {
  await Promise.all(Array.from(all, (one) => change([one.jobId], (draft) => decide(draft, one))));
};
