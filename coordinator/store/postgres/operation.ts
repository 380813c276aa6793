import { AppError } from "../../../shared/basics/errors.ts";
import type { Ask, Database } from "./connection/database.ts";
import { asAnswer, isCollision } from "./connection/problems.ts";

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
export const createOperation = (database: Database, leading: Leading): Operation => {
  const inTurn = createTurns();
  return (run) =>
    (...args) =>
      inTurn(() =>
        repeated(() =>
          database.transaction("write", async (ask) => {
            const [fence] = await Promise.all([
              ask<{ epoch: number }>("SELECT epoch FROM lead FOR KEY SHARE"),
              ask("SELECT pg_advisory_xact_lock(hashtext('mediafarm operations'))"),
            ]);
            if (leading.epoch !== undefined && fence[0]?.epoch !== leading.epoch) throw deposed();
            return run(ask, ...args);
          }),
        ),
      );
};

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
