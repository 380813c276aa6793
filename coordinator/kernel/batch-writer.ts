import { type Clock, sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { type Batch, type Change, joinChanges, StoreRefusal } from "../store/batch.ts";
import type { Lead, Store } from "../store/store.ts";
import type { ChangeRequest, Decided } from "./request-lines.ts";
import type { Values } from "./values.ts";

export type BatchWriterNeeds = {
  readonly store: Pick<Store, "write" | "settle">;
  readonly values: Values;
  readonly epoch: number;
  readonly clock: Clock;
  /** Another coordinator leads: this one must exit. */
  readonly fenced: (problem: StoreRefusal) => void;
};

type Outcomes = {
  readonly release: (each: Decided) => void;
  readonly undo: (each: Decided) => void;
  /** It was undone for no fault of its own, as far as is known, and must be decided again. */
  readonly repeat: (request: ChangeRequest) => void;
  /** The store has written a batch, or refused it. */
  readonly onAnswer: (problem: StoreRefusal | undefined) => void;
  /** A batch is durable or undone, so there is room for more decisions. */
  readonly onRoom: () => void;
  /** Nothing waits to be written. */
  readonly onWritten: () => void;
};

/**
 * Maximum bytes of decisions that are not durable. Beyond that, decisions wait: a slow disk must not fill the memory.
 */
const mostUndurable = 64e6;

/** Writes decisions in numbered batches, one batch at a time, and undoes those of a refused batch. */
export const createBatchWriter = (needs: BatchWriterNeeds, outcomes: Outcomes) => {
  const { release, onAnswer, onRoom, onWritten } = outcomes;
  const batches = createBatchSequence(needs);
  const waiting: Decided[] = [];
  let taken: readonly Decided[] = [];
  let undurable = 0;
  let writing: Promise<void> | undefined;

  const start = (): void => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (waiting.length > 0) start();
    });
  };

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await writeBatch();
      taken = [];
      undurable = weigh(waiting);
      onRoom();
    }
    onWritten();
  };

  const writeBatch = async (): Promise<void> => {
    taken = waiting.splice(0);
    const changes = joinChanges(taken.flatMap(({ draft }) => draft.changes));
    const problem = changes.length > 0 ? await batches.write(changes) : undefined;
    if (changes.length > 0) onAnswer(problem);
    if (problem) takeBack([...taken, ...waiting.splice(0)], problem, outcomes);
    else for (const each of taken) release(each);
  };

  const oldest = (): Decided | undefined => taken[0] ?? waiting[0];
  /** Whether a decision that was undone has been made again and is not durable yet. */
  const isRepeating = (): boolean => oldest()?.request.isAlone ?? false;

  return {
    start,
    add: (found: Decided): void => {
      waiting.push(found);
      undurable += found.draft.weight();
    },
    /** Whether the request may be decided now. One that has a batch of its own waits until all others are durable. */
    hasRoomFor: ({ isAlone }: ChangeRequest): boolean =>
      undurable < mostUndurable && !isRepeating() && !(isAlone && oldest()),
    isRepeating,
    /** Decisions that wait for the next batch. */
    isEmpty: (): boolean => waiting.length === 0,
    /** Undefined while nothing is written. */
    current: (): Promise<void> | undefined => writing,
    count: batches.count,
  };
};

/**
 * Undoes a refused batch with everything decided on top of it. If its content was refused, each decision is repeated
 * in a batch of its own, and only those refused again fail.
 */
const takeBack = (all: readonly Decided[], problem: StoreRefusal, { undo, repeat }: Outcomes): void => {
  for (const each of all.toReversed()) undo(each);
  for (const { request } of all) {
    if (problem.kind !== "content" || request.isAlone) request.reject(answerOf(problem));
    else repeat(Object.assign(request, { isAlone: true }));
  }
};

const weigh = (some: readonly Decided[]): number => some.reduce((total, { draft }) => total + draft.weight(), 0);

const answerOf = (problem: StoreRefusal): unknown => {
  if (problem.kind === "content") return problem.cause ?? problem;
  return new AppError("UNAVAILABLE", problem.message, { cause: problem });
};

/** If the outcome of a batch is unknown, the store is asked this often. */
const askAgainMs = 200;

/** The numbered batches of this coordinator; each is written after the one before it. */
const createBatchSequence = ({ store, values, epoch, clock, fenced }: BatchWriterNeeds) => {
  let [last, count] = [0, 0];

  /** Repeats until there is an answer: callers that wait for the batch wait for it too. */
  const settled = async (batch: Batch): Promise<Lead> => {
    for (;;) {
      try {
        return await store.settle(batch);
      } catch {
        await sleep(clock, askAgainMs);
      }
    }
  };

  /** Whether a batch was written of which nothing was heard. */
  const wasWritten = async (batch: Batch, problem: StoreRefusal): Promise<boolean> => {
    const lead = await settled(batch);
    // Its outcome stays unknown, so nobody should be told one.
    if (lead.epoch !== epoch) fenced(problem);
    else last = lead.batch;
    return lead.epoch === epoch && lead.batch === batch.nr;
  };

  return {
    /** Resolves to undefined once the changes are durable. */
    write: async (changes: readonly Change[]): Promise<StoreRefusal | undefined> => {
      const batch: Batch = { epoch, nr: last + 1, changes, counters: { ...values.counters } };
      try {
        await store.write(batch);
      } catch (cause) {
        const problem = cause instanceof StoreRefusal ? cause : new StoreRefusal("content", String(cause), { cause });
        if (problem.kind === "fenced") fenced(problem);
        if (problem.kind !== "unknown" || !(await wasWritten(batch, problem))) return problem;
      }
      last = batch.nr;
      count += 1;
      return undefined;
    },
    /** How many became durable. */
    count: (): number => count,
  };
};
