import type { Db } from "./open.ts";

const mostKnown = 1000;

/** Tokens of API users, by their hashes. Who revokes a user drops the tokens too. */
export const createTokenStore = ({ writer, point }: Db) => {
  const one = point.prepare<[string], { expires: number; user_id: number }>(
    "SELECT expires, user_id FROM tokens JOIN api_users ON api_users.id = user_id WHERE hash = ? AND revoked IS NULL",
  );
  const counts = point.prepare<[number], { user_id: number; n: number }>(
    "SELECT user_id, count(*) AS n FROM tokens WHERE expires > ? GROUP BY user_id",
  );
  const create = writer.prepare("INSERT INTO tokens (hash, user_id, expires) VALUES (?, ?, ?)");
  const extend = writer.prepare("UPDATE tokens SET expires = max(expires, ?) WHERE hash = ?");
  const dropExpired = writer.prepare("DELETE FROM tokens WHERE expires <= ?");
  const dropOfUser = writer.prepare("DELETE FROM tokens WHERE user_id = ?");
  const dropBeyond = writer.prepare(
    `DELETE FROM tokens WHERE hash IN
       (SELECT hash FROM tokens WHERE user_id = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`,
  );
  /** Those that were asked for since the last change: every request brings one. */
  const known = new Map<string, ReturnType<typeof one.get>>();
  const read = (hash: string) => {
    if (known.has(hash)) return known.get(hash);
    if (known.size >= mostKnown) known.clear();
    const found = one.get(hash);
    known.set(hash, found);
    return found;
  };
  const changed = (run: () => unknown): void => {
    known.clear();
    run();
  };

  return {
    /** Outside of a commit; that of a user who was revoked is none. */
    read,
    /** How many live ones each user has. */
    counts: (now: number): ReadonlyMap<number, number> => new Map(counts.all(now).map((row) => [row.user_id, row.n])),
    create: (hash: string, userId: number, expires: number): void => {
      changed(() => create.run(hash, userId, expires));
    },
    extend: (hash: string, expires: number): void => {
      changed(() => extend.run(expires, hash));
    },
    dropExpired: (now: number): void => {
      changed(() => dropExpired.run(now));
    },
    dropOfUser: (userId: number): void => {
      changed(() => dropOfUser.run(userId));
    },
    /** Keeps so many of a user's that end last. */
    dropBeyond: (userId: number, most: number): void => {
      changed(() => dropBeyond.run(userId, most));
    },
  };
};
