import { type Clock, sleep } from "../../../shared/basics/clock.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Ask, Database } from "./connection/database.ts";
import { asAnswer, isCollision, isOfServer } from "./connection/problems.ts";

/** Transactions that stood in each other's way are repeated so often. */
const mostTries = 5;

/** The epoch in which this process leads; undefined before. */
export type Leading = { epoch: number | undefined };

export type Operation = <Args extends unknown[], Result>(
  run: (ask: Ask, ...args: Args) => Promise<Result>,
) => (...args: Args) => Promise<Result>;

/**
 * Makes a function one transaction: done as a whole and durable when the promise resolves, or not at all. One runs at a
 * time, here and in all other coordinators, so it may decide by what it reads. Whoever led, and does no longer, is refused.
 */
export const createOperation = (database: Database, leading: Leading, clock: Clock): Operation => {
  const inTurn = createTurns();
  return (run) =>
    (...args) =>
      inTurn(() => repeated(() => runOnce({ database, leading, clock }, (ask) => run(ask, ...args))));
};

type Needs = { readonly database: Database; readonly leading: Leading; readonly clock: Clock };

/** Where the connection broke when all was done but the end, the server is asked what became of it. */
const runOnce = async <T>({ database, leading, clock }: Needs, run: (ask: Ask) => Promise<T>): Promise<T> => {
  const done: { readonly marks: Marks; readonly result: T }[] = [];
  try {
    return await database.transaction("write", async (ask) => {
      const [fence, , [marks]] = await Promise.all([
        ask<{ epoch: number }>("SELECT epoch FROM lead FOR KEY SHARE"),
        ask(turnSql),
        ask<Marks>(markSql),
      ]);
      if (leading.epoch !== undefined && fence[0]?.epoch !== leading.epoch) throw deposed();
      const result = await run(ask);
      if (marks) done.push({ marks, result });
      return result;
    });
  } catch (problem) {
    const [end] = done;
    if (!end || isOfServer(problem)) throw problem;
    const last = await lastMark(database, clock);
    if (last === end.marks.mark) return end.result;
    // Another coordinator's came between, upon this one or upon the one before.
    if (last !== end.marks.before) throw unsettled(problem);
    throw problem;
  }
};

const turnSql = "SELECT pg_advisory_xact_lock(hashtext('mediafarm operations'))";
/** The last operation that is stored once this one is, and without it. */
type Marks = { readonly mark: string; readonly before: string | null };

/** A transaction's number would not do: after a crash or a failover another one may have it. */
const markSql = `WITH last AS (SELECT mark FROM last_operation)
  INSERT INTO last_operation VALUES (1, gen_random_uuid()::text)
  ON CONFLICT (id) DO UPDATE SET mark = excluded.mark RETURNING mark, (SELECT mark FROM last) AS before`;

const askAgainMs = 200;
/** A server that is away for longer leaves the outcome open. */
const longestAskMs = 30_000;

/**
 * The last operation that is stored. Waits for its turn first: as long as the end of one lies unread on its way, the server
 * keeps the lock, and gives up the transaction after some seconds.
 */
const lastMark = async ({ transaction }: Database, clock: Clock): Promise<string | null> => {
  const until = clock.monotonic() + longestAskMs;
  for (;;) {
    try {
      const [row] = await transaction("write", async (ask) => {
        const [, found] = await Promise.all([ask(turnSql), ask<{ mark: string }>("SELECT mark FROM last_operation")]);
        return found;
      });
      return row?.mark ?? null;
    } catch (problem) {
      if (clock.monotonic() > until) throw unsettled(problem);
      await sleep(clock, askAgainMs);
    }
  }
};

const unsettled = (cause: unknown): AppError =>
  new AppError("OUTCOME_UNKNOWN", "The database did not say whether this was stored: look before you repeat it", {
    cause,
  });

const deposed = (): AppError => new AppError("UNAVAILABLE", "Another coordinator leads this farm now");

/** Repeats what failed by a collision; other problems become answers. */
export const repeated = async <T>(attempt: () => Promise<T>, answer = asAnswer): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (problem) {
      if (!isCollision(problem) || tries === mostTries) throw answer(problem);
    }
  }
};

/** So that waiting operations do not hold all connections. */
const createTurns = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
};
