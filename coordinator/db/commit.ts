import type Database from "better-sqlite3";

export type Committer = {
  /**
   * Runs `fn` with all others of this turn of the loop in one IMMEDIATE transaction, a savepoint each: it takes effect
   * as a whole or, where it throws, not at all. Resolves after COMMIT; only then may memory change or anyone be told.
   */
  readonly commit: <T>(fn: () => T) => Promise<T>;
  /** Resolves when nothing waits any more. */
  readonly settle: () => Promise<void>;
};

type Waiting = { readonly run: () => void; readonly done: () => void; readonly fail: (problem: unknown) => void };

export const createCommitter = (db: Database.Database): Committer => {
  let waiting: Waiting[] = [];
  let scheduled = Promise.resolve();

  const flush = (): void => {
    const batch = waiting;
    waiting = [];
    const after: (() => void)[] = [];
    try {
      db.exec("BEGIN IMMEDIATE");
      for (const each of batch) after.push(runOne(db, each));
      db.exec("COMMIT");
    } catch (problem) {
      if (db.inTransaction) db.exec("ROLLBACK");
      for (const each of batch) each.fail(problem);
      return;
    }
    for (const tell of after) tell();
  };

  const commit = <T>(fn: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let result: T;
      const run = () => {
        result = fn();
      };
      waiting.push({ run, done: () => resolve(result), fail: reject });
      if (waiting.length === 1) scheduled = new Promise((next) => setImmediate(() => next(flush())));
    });

  const settle = async () => {
    while (waiting.length > 0) await scheduled;
  };

  return { commit, settle };
};

const runOne = (db: Database.Database, { run, done, fail }: Waiting): (() => void) => {
  db.exec("SAVEPOINT one");
  try {
    run();
    db.exec("RELEASE one");
    return done;
  } catch (problem) {
    // An error like "disk full" may have ended the whole transaction already; then none of the batch took effect.
    if (!db.inTransaction) throw problem;
    db.exec("ROLLBACK TO one; RELEASE one");
    return () => fail(problem);
  }
};
