import { type Clock, sleep } from "../../../../shared/basics/clock.ts";
import type { Ask, Database } from "./database.ts";
import { isCollision, isOfServer } from "./problems.ts";

/** A replica that is so far behind is not waited for longer: the read goes to the leader's own server. */
const longestWaitMs = 400;
const lookMs = 20;
const longestAnswerMs = 2 * longestWaitMs;
/** One that failed, or was too far behind, is left alone for a while. */
const restMs = 5000;

type Needs = {
  readonly primary: Database;
  readonly replica: Database;
  readonly clock: Clock;
};

/**
 * Reads on a replica, which show everything that had resolved before they were asked: each learns how far the primary has
 * written, and waits until the replica has that. A replica that is away, behind, or of another database costs time at most:
 * the primary is read instead.
 */
export const readsOn = ({ primary, replica, clock }: Needs): Database => {
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isKnown = false;

  const rest = (): void => {
    restsUntil = clock.monotonic() + restMs;
    isKnown = false;
  };
  const isUsable = async (): Promise<boolean> => {
    if (clock.monotonic() < restsUntil) return false;
    const at = await placeOf(primary.ask);
    const look = async (): Promise<boolean> => {
      isKnown ||= await areOfOneCluster(primary.ask, replica.ask);
      return isKnown && (await hasCaughtUp(replica.ask, at, clock));
    };
    // One that stands still says nothing at all.
    const isThere = await Promise.race([look().catch(() => false), sleep(clock, longestAnswerMs).then(() => false)]);
    if (!isThere) rest();
    return isThere;
  };
  const read = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    if (!(await isUsable())) return work(primary);
    try {
      return await work(replica);
    } catch (problem) {
      // A replica ends statements that stand in the way of what it takes over from the primary.
      if (isOfServer(problem) && !isCollision(problem)) throw problem;
      rest();
      return work(primary);
    }
  };

  return {
    ask: (sql, ...params) => read((database) => database.ask<never>(sql, ...params)),
    transaction: (kind, work) => read((database) => database.transaction(kind, work)),
    close: async () => {
      await Promise.all([primary.close(), replica.close()]);
    },
  };
};

/** How far the server has written: what resolved before is within. */
const placeOf = async (ask: Ask): Promise<string> => {
  const [row] = await ask<{ at: string }>("SELECT pg_current_wal_lsn()::text AS at");
  return row?.at ?? "0/0";
};

/** Places of two clusters cannot be compared; and one that was promoted goes its own way. */
const areOfOneCluster = async (...asks: readonly Ask[]): Promise<boolean> => {
  const names = await Promise.all(
    asks.map((ask) => ask<{ name: string }>("SELECT system_identifier::text AS name FROM pg_control_system()")),
  );
  return new Set(names.map(([row]) => row?.name)).size === 1;
};

const hasCaughtUp = async (ask: Ask, at: string, clock: Clock): Promise<boolean> => {
  const until = clock.monotonic() + longestWaitMs;
  for (;;) {
    const [row] = await ask<{ is_there: boolean | null }>(
      "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_there",
      at,
    );
    if (row?.is_there) return true;
    if (clock.monotonic() > until) return false;
    await sleep(clock, lookMs);
  }
};
