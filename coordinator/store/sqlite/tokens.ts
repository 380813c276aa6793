import type { TokenRow, TokenStore } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** Tokens of API users, by their hashes. Revoking a user also deletes the tokens. */
export const createTokenStore = ({ writer, point }: Connections): TokenStore => {
  const operation = createOperation(writer);
  // Every request asks for one. The writer keeps its pages; another connection reads them anew after every commit.
  const one = writer.prepare<[string], TokenRow>(
    "SELECT expires, user_id, may_mount FROM tokens JOIN api_users ON api_users.id = user_id WHERE hash = ? AND revoked IS NULL",
  );
  const counts = point.prepare<[number], { user_id: number; n: number }>(
    "SELECT user_id, count(*) AS n FROM tokens WHERE expires > ? GROUP BY user_id",
  );
  const dropExpired = writer.prepare("DELETE FROM tokens WHERE expires <= ?");
  const dropBeyond = writer.prepare(
    `DELETE FROM tokens WHERE hash IN
       (SELECT hash FROM tokens WHERE user_id = ? ORDER BY expires DESC LIMIT -1 OFFSET ?)`,
  );
  const create = writer.prepare("INSERT INTO tokens (hash, user_id, expires) VALUES (?, ?, ?)");
  const noteLogin = writer.prepare("UPDATE api_users SET last_login = ? WHERE id = ?");
  const extend = writer.prepare("UPDATE tokens SET expires = max(expires, ?) WHERE hash = ?");

  return {
    read: async (hash) => one.get(hash),
    counts: async (now) => new Map(counts.all(now).map((row) => [row.user_id, row.n])),
    create: operation((userId, { hash, now, expires, most }, login) => {
      dropExpired.run(now);
      dropBeyond.run(userId, most - 1);
      create.run(hash, userId, expires);
      noteLogin.run(login, userId);
    }),
    extend: operation((hash, expires) => {
      extend.run(expires, hash);
    }),
  };
};
