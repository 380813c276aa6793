import type { TokenRow, TokenStore } from "../people.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** The number of tokens kept in memory. */
const mostKept = 1000;

/** Tokens of API users, by their hashes. `forget` drops those kept in memory: something else has changed tokens. */
export const createTokenStore = ({ writer, point }: Connections): TokenStore & { readonly forget: () => void } => {
  const operation = createOperation(writer);
  // Every request asks for one, and this process is the only one that writes.
  const kept = new Map<string, TokenRow>();
  const forget = (): void => kept.clear();
  const one = point.prepare<[string], TokenRow>(
    "SELECT expires, user_id, name, may_mount FROM tokens JOIN api_users ON api_users.id = user_id WHERE hash = ? AND revoked IS NULL",
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

  const read = (hash: string): TokenRow | undefined => {
    const row = one.get(hash);
    if (kept.size >= mostKept) forget();
    if (row) kept.set(hash, row);
    return row;
  };

  return {
    forget,
    read: async (hash) => kept.get(hash) ?? read(hash),
    counts: async (now) => new Map(counts.all(now).map((row) => [row.user_id, row.n])),
    create: operation((userId, { hash, now, expires, most }, login) => {
      dropExpired.run(now);
      dropBeyond.run(userId, most - 1);
      create.run(hash, userId, expires);
      noteLogin.run(login, userId);
      forget();
    }),
    extend: operation((hash, expires) => {
      extend.run(expires, hash);
      forget();
    }),
  };
};
