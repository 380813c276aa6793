import type { Db } from "./open.ts";

/** Who may speak to the API: the account's OAPI pair, its API users, and their tokens. */
export const createAccountStore = ({ writer, point }: Db) => {
  const account = writer.prepare<[], { oapi_key: string; oapi_secret: string }>(
    "SELECT oapi_key, oapi_secret FROM account",
  );
  const createAccount = writer.prepare("INSERT INTO account (id, oapi_key, oapi_secret, created) VALUES (1, ?, ?, ?)");
  const createUser = writer.prepare("INSERT INTO api_users (auth_key, secret_hash, created) VALUES (?, ?, ?)");
  const user = point.prepare<[string], { id: number; secret_hash: string }>(
    "SELECT id, secret_hash FROM api_users WHERE auth_key = ? AND revoked IS NULL",
  );
  const token = point.prepare<[string], { expires: number; user_id: number }>(
    `SELECT expires, user_id FROM tokens JOIN api_users ON api_users.id = user_id WHERE hash = ? AND revoked IS NULL`,
  );
  const createToken = writer.prepare("INSERT INTO tokens (hash, user_id, expires) VALUES (?, ?, ?)");
  const extendToken = writer.prepare("UPDATE tokens SET expires = max(expires, ?) WHERE hash = ?");
  const dropTokens = writer.prepare("DELETE FROM tokens WHERE expires < ?");
  const meta = writer.prepare<[string], { value: string }>("SELECT value FROM meta WHERE key = ?");
  const setMeta = writer.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return {
    account: () => account.get(),
    createAccount: (key: string, encryptedSecret: string, now: number): void => {
      createAccount.run(key, encryptedSecret, now);
    },
    createUser: (authKey: string, secretHash: string, now: number): void => {
      createUser.run(authKey, secretHash, now);
    },
    user: (authKey: string) => user.get(authKey),
    /** Of a user that was not revoked. */
    token: (hash: string) => token.get(hash),
    createToken: (hash: string, userId: number, expires: number): void => {
      createToken.run(hash, userId, expires);
    },
    extendToken: (hash: string, expires: number): void => {
      extendToken.run(expires, hash);
    },
    dropTokens: (now: number): void => {
      dropTokens.run(now);
    },
    meta: (key: string): string | undefined => meta.get(key)?.value,
    setMeta: (key: string, value: string): void => {
      setMeta.run(key, value);
    },
  };
};
