import { type Clock, sleep } from "../../../../shared/basics/clock.ts";
import type { Ask, Database } from "./database.ts";
import { isCollision, isOfServer } from "./problems.ts";

/** A replica that is so far behind is not waited for longer: the read goes to the leader's own server. */
const longestWaitMs = 400;
const lookMs = 20;
const longestAnswerMs = 2 * longestWaitMs;
/** A replica knows from memory how far it is, even while its disk stands still: a read that it is silent about is asked again. */
const longestSilenceMs = 5000;
/** One that failed, or was too far behind, is left alone for a while. */
const restMs = 5000;
/** After one silence upon the other, it is left alone for twice as long each time, up to this: who tries it waits as long. */
const longestRestMs = 60_000;

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
  let nextRestMs = restMs;

  const rest = (ms = restMs): void => {
    restsUntil = clock.monotonic() + ms;
  };
  const isUsable = async (): Promise<boolean> => {
    if (clock.monotonic() < restsUntil) return false;
    const place = await placeOf(primary.ask);
    const look = place ? hasCaughtUp(replica.ask, place, clock).catch(() => false) : false;
    // One that stands still says nothing at all.
    const isThere = await Promise.race([look, sleep(clock, longestAnswerMs).then(() => false)]);
    if (!isThere) rest();
    return isThere;
  };
  const read = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    if (!(await isUsable())) return work(primary);
    const silence = awaitSilence(clock);
    const answer = work(heardBy(silence.heard, replica));
    if (await silence.comesBefore(answer)) {
      rest(nextRestMs);
      nextRestMs = Math.min(longestRestMs, 2 * nextRestMs);
      const sure = work(primary);
      return Promise.race([sure, answer.catch(() => sure)]);
    }
    try {
      const found = await answer;
      nextRestMs = restMs;
      return found;
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

/** The same database, which tells of each of its answers. */
const heardBy = (heard: () => void, database: Database): Database => {
  const telling =
    (ask: Ask): Ask =>
    (sql, ...params) =>
      ask<never>(sql, ...params).finally(heard);
  return {
    ...database,
    ask: telling(database.ask),
    transaction: (kind, work) => database.transaction(kind, (ask) => work(telling(ask))),
  };
};

/** Notices when nothing was heard for too long. */
const awaitSilence = (clock: Clock) => {
  const silence = Promise.withResolvers<boolean>();
  const begin = () => clock.after(longestSilenceMs, () => silence.resolve(true));
  let stop = begin();
  let isOver = false;
  return {
    heard: (): void => {
      stop();
      if (!isOver) stop = begin();
    },
    /** Whether it comes before this has ended, in whatever way. */
    comesBefore: async (answer: Promise<unknown>): Promise<boolean> => {
      const ended = answer.then(
        () => false,
        () => false,
      );
      const isSilent = await Promise.race([silence.promise, ended]);
      isOver = true;
      stop();
      return isSilent;
    },
  };
};

/** `at`: how far the server has written; what resolved before is within. Places of two clusters cannot be compared. */
type Place = { readonly at: string; readonly cluster: string };

const clusterSql = "(SELECT system_identifier::text FROM pg_control_system())";

const placeOf = async (ask: Ask): Promise<Place | undefined> => {
  const [row] = await ask<Place>(`SELECT pg_current_wal_lsn()::text AS at, ${clusterSql} AS cluster`);
  return row;
};

/**
 * One that was promoted goes its own way. Which cluster it is, it is asked each time: another server may answer at its address by
 * now, with a database of the same name.
 */
const hasCaughtUp = async (ask: Ask, { at, cluster }: Place, clock: Clock): Promise<boolean> => {
  const until = clock.monotonic() + longestWaitMs;
  for (;;) {
    const [row] = await ask<{ cluster: string; is_replica: boolean; is_there: boolean | null }>(
      `SELECT ${clusterSql} AS cluster, pg_is_in_recovery() AS is_replica, pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_there`,
      at,
    );
    if (row?.cluster !== cluster || !row.is_replica) return false;
    if (row.is_there) return true;
    if (clock.monotonic() > until) return false;
    await sleep(clock, lookMs);
  }
};
