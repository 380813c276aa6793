import Database from "better-sqlite3";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";

export type Committer = {
  /**
   * Runs `fn` with all others of this turn of the loop in one IMMEDIATE transaction, a savepoint each: it takes effect
   * as a whole or, where it throws, not at all. Resolves after COMMIT; only then may memory change or anyone be told.
   * Where others take long, it is run in one of the next turns.
   */
  readonly commit: <T>(fn: () => T) => Promise<T>;
  /** The same for what nobody waits for: goes along with the next commit, or with the next `settle`. */
  readonly commitLater: Committer["commit"];
  /** The same for what can wait a little: in a turn in which nobody else commits anything, or after a few that were busy. */
  readonly commitIdle: Committer["commit"];
  /**
   * Calls `fn` when all that was to run in a transaction has run: what it commits runs in the same one, after that. May be
   * set once; it must not throw.
   */
  readonly beforeCommit: (fn: () => void) => void;
  /** Transactions so far. */
  readonly commits: () => number;
  /** Commits what waits; resolves when nothing does any more. */
  readonly settle: () => Promise<void>;
};

/** Turns in a row that keep `commitIdle` waiting at most. */
const busyTurns = 16;
/** A transaction that has taken so many milliseconds takes nobody else in: the loop has to turn. */
const longestMs = 10;

type Waiting = { readonly run: () => void; readonly done: () => void; readonly fail: (problem: unknown) => void };

/** `onRollback` hears of every function that took no effect, as soon as that is so. */
export const createCommitter = (
  db: Database.Database,
  onRollback: () => void,
  clock: Pick<Clock, "monotonic">,
): Committer => {
  const [begin, end] = [db.prepare("BEGIN IMMEDIATE"), db.prepare("COMMIT")];
  let commits = 0;
  const runOne = createRunOne(db, onRollback);
  let waiting: Waiting[] = [];
  const idle: Waiting[] = [];
  let busy = 0;
  let fill: () => void = () => undefined;
  let isFilling = false;
  let scheduled: Promise<void> | undefined;

  /** What waits, and with it one that could wait where nothing else does. */
  const takeBatch = (): Waiting[] => {
    const batch = waiting;
    waiting = [];
    scheduled = undefined;
    busy = batch.length === 0 || idle.length === 0 ? 0 : busy + 1;
    const patient = batch.length === 0 || busy > busyTurns ? idle.shift() : undefined;
    if (patient) busy = 0;
    if (idle.length > 0) void schedule();
    return patient ? [...batch, patient] : batch;
  };

  /** Runs as many as there is time for, and leaves the others in front of who comes after them. */
  const runSome = (batch: Waiting[]): (() => void)[] => {
    const after: (() => void)[] = [];
    const until = clock.monotonic() + longestMs;
    for (const each of batch) {
      after.push(runOne(each));
      if (clock.monotonic() >= until) break;
    }
    const left = batch.splice(after.length);
    if (left.length === 0) return after;
    waiting = [...left, ...waiting];
    void schedule();
    return after;
  };

  /** Adds to the batch what comes along with it. */
  const runFilling = (batch: Waiting[]): (() => void)[] => {
    const before = waiting.length;
    isFilling = true;
    try {
      fill();
    } finally {
      isFilling = false; // else nobody would ever ask for a flush again
    }
    const more = waiting.splice(before);
    batch.push(...more);
    return more.map(runOne);
  };

  const flush = (): void => {
    const batch = takeBatch();
    if (batch.length === 0) return;
    let after: (() => void)[] = [];
    try {
      begin.run();
      after = runSome(batch);
      after.push(...runFilling(batch));
      end.run();
      commits += 1;
    } catch (problem) {
      if (db.inTransaction) db.exec("ROLLBACK");
      onRollback();
      for (const each of batch) each.fail(asRefusal(problem));
      return;
    }
    for (const tell of after) tell();
  };

  const schedule = (): Promise<void> => {
    scheduled ??= new Promise((next) => setImmediate(() => next(flush())));
    return scheduled;
  };

  const queue = <T>(list: () => Waiting[], fn: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let result: T;
      const run = () => {
        result = fn();
      };
      list().push({ run, done: () => resolve(result), fail: reject });
    });

  const commitLater = <T>(fn: () => T): Promise<T> => queue(() => waiting, fn);

  const commitIdle = <T>(fn: () => T): Promise<T> => {
    const done = queue(() => idle, fn);
    void schedule();
    return done;
  };

  const commit = <T>(fn: () => T): Promise<T> => {
    const done = commitLater(fn);
    if (!isFilling) void schedule();
    return done;
  };

  const settle = async () => {
    while (waiting.length + idle.length > 0) await schedule();
  };

  const beforeCommit = (fn: () => void): void => {
    fill = fn;
  };

  return { commit, commitLater, commitIdle, beforeCommit, commits: () => commits, settle };
};

/** What the disk refuses is told as it is; nothing of it was stored, and whoever asked may ask again. */
const asRefusal = (problem: unknown): unknown => {
  const code = problem instanceof Database.SqliteError ? problem.code : "";
  if (code !== "SQLITE_FULL" && !code.startsWith("SQLITE_IOERR")) return problem;
  const why = code === "SQLITE_FULL" ? "is full" : `fails (${code})`;
  return new AppError("UNAVAILABLE", `The coordinator's disk ${why}: nothing can be stored`, { cause: problem });
};

const createRunOne = (db: Database.Database, onRollback: () => void) => {
  const [save, release] = [db.prepare("SAVEPOINT one"), db.prepare("RELEASE one")];
  return ({ run, done, fail }: Waiting): (() => void) => {
    save.run();
    try {
      run();
      release.run();
      return done;
    } catch (problem) {
      // An error like "disk full" may have ended the whole transaction already; then none of the batch took effect.
      if (!db.inTransaction) throw problem;
      db.exec("ROLLBACK TO one; RELEASE one");
      onRollback();
      return () => fail(asRefusal(problem));
    }
  };
};
