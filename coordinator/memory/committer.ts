import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Change, StoreRefusal } from "../store/batch.ts";
import type { Store } from "../store/store.ts";
import { createBatches } from "./batches.ts";
import { type Asked, createDecider, type Decide, type Decided } from "./decider.ts";
import type { Draft } from "./draft.ts";
import { Missing, type Needs, type Values } from "./values.ts";

export type Committer = {
  /**
   * Makes a decision in memory, in the order of asking; what it needs is loaded before. Resolves, or rejects, once all that
   * was decided until then is durable.
   */
  readonly change: <T>(jobIds: readonly number[], decide: Decide<T>) => Promise<T>;
  /** The same for what nobody waits for: it becomes durable with the next batch, or with the next `settle`. */
  readonly changeLater: Committer["change"];
  /** Has what is to be filled in looked at soon. */
  readonly wake: () => void;
  /** Batches that became durable. */
  readonly commits: () => number;
  /** Writes what waits; resolves when nothing does any more. */
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
  /** Follows changes of rows with what else memory holds: forward, and back where a batch was refused. */
  readonly follow: (changes: readonly Change[]) => void;
  /** Called before a batch is closed: what it decides goes along. True where there is more to decide. */
  readonly fill: () => boolean;
  /** Gives ready tasks to free slots. */
  readonly handOut: () => void;
  /** Another coordinator leads: this one has to end. */
  readonly fenced: (problem: StoreRefusal) => void;
};

/** Bytes of decisions that are not durable. Beyond them decisions wait: a slow disk must not fill the memory. */
const mostUndurable = 64e6;

/** A turn of the loop that has decided for so many milliseconds leaves the rest to the next. */
const longestMs = 10;

/**
 * Decides in memory and writes in batches: all that is decided in one turn of the loop becomes durable together. Memory may
 * be ahead of the disk; answers and effects leave in the order of the decisions, each once its batch is durable.
 */
export const createCommitter = (outside: Outside): Committer => {
  const { clock } = outside;
  const decider = createDecider(outside);
  const writer = createBatches(outside);
  const line: Asked[] = [];
  let decided: Decided[] = [];
  let [isDeciding, hasMore] = [false, false];
  let undurable = 0;
  let turn: Promise<void> | undefined;
  let writing: Promise<void> | undefined;
  let recovering: Promise<void> | undefined;

  const wake = (): Promise<void> => {
    turn ??= new Promise((done) => setImmediate(() => done(decideTurn())));
    return turn;
  };

  const decideTurn = async (): Promise<void> => {
    turn = undefined;
    if (isDeciding) return;
    isDeciding = true;
    await decideLine();
    hasMore = outside.fill() || hasMore;
    await decideLine();
    isDeciding = false;
    startWriting();
    if (line.length > 0 && !isFull()) void wake();
  };

  /** Decides what stands in line, in its order, as far as there is time. */
  const decideLine = async (): Promise<void> => {
    const until = clock.monotonic() + longestMs;
    for (let asked = line[0]; asked && !isFull(); asked = line[0]) {
      if (recovering) await recovering;
      const found = decider.decide(asked);
      if (found instanceof Missing) await decider.load(asked, found);
      else note(found);
      if (!(found instanceof Missing) || asked.isAnswered) line.shift();
      if (clock.monotonic() >= until) return;
    }
  };

  const isFull = (): boolean => undurable >= mostUndurable;

  const note = (found: Decided): void => {
    decided.push(found);
    undurable += found.draft.weight();
  };

  const startWriting = (): void => {
    if (writing || (decided.length === 0 && !hasMore)) return;
    writing = writeAll().finally(() => {
      writing = undefined;
      startWriting();
    });
  };

  const writeAll = async (): Promise<void> => {
    while (decided.length > 0) {
      const some = decided;
      decided = [];
      const problem = await writer.write(some);
      if (problem) {
        recovering = recover(some, problem);
        await recovering;
        recovering = undefined;
      } else for (const each of some) decider.letGo(each);
      const wasFull = isFull();
      undurable = sum(decided.map(({ draft }) => draft.weight()));
      if (wasFull) void wake();
    }
    outside.values.trim();
    if (!hasMore) return;
    hasMore = false;
    // What was begun is handed out before whoever waited for it can ask for anything else.
    outside.handOut();
    void wake();
  };

  /** What was decided meanwhile was built on what was refused. Only what is refused again, by itself, fails for its content. */
  const recover = async (refused: readonly Decided[], problem: StoreRefusal): Promise<void> => {
    const all = [...refused, ...decided];
    decided = [];
    for (const each of all.toReversed()) decider.takeBack(each);
    if (problem.kind !== "content") return refuse(all, problem);
    for (const { asked } of all) {
      const found = await decider.decideNow(asked);
      if (!found) continue;
      const again = await writer.write([found]);
      if (!again) decider.letGo(found);
      else {
        decider.takeBack(found);
        refuse([found], again);
      }
    }
  };

  const refuse = (some: readonly Decided[], problem: StoreRefusal): void => {
    for (const { asked } of some) asked.reject(answerOf(problem));
    if (problem.kind === "fenced") outside.fenced(problem);
  };

  const ask =
    (isLater: boolean): Committer["change"] =>
    (jobIds, decide) =>
      new Promise((resolve, reject) => {
        // The line holds changes of any kind; each resolves with what its own decision gave.
        line.push({ needs: { jobs: jobIds }, decide, resolve: resolve as Asked["resolve"], reject, isAnswered: false });
        if (!isLater) void wake();
      });

  const settle = async (): Promise<void> => {
    while (line.length + decided.length > 0 || writing || isDeciding) {
      await wake();
      await writing;
    }
  };

  return { change: ask(false), changeLater: ask(true), wake: () => void wake(), commits: writer.count, settle };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const answerOf = (problem: StoreRefusal): unknown => {
  if (problem.kind === "content") return problem.cause ?? problem;
  return new AppError("UNAVAILABLE", problem.message, { cause: problem });
};
