import type { Db } from "./open.ts";

export type AccountRow = {
  readonly oapi_key: string;
  readonly oapi_secret: string;
  readonly created: number;
  readonly renewed: number | null;
};

export type ApiUserRow = {
  readonly id: number;
  readonly auth_key: string;
  readonly name: string;
  readonly created: number;
  readonly last_login: number | null;
};

export type NewApiUser = Pick<ApiUserRow, "auth_key" | "name" | "created"> & { readonly secretHash: string };

/** Who may speak to the API: the account's OAPI pair and its API users. */
export const createAccountStore = ({ writer, point }: Db) => {
  const account = writer.prepare<[], AccountRow>("SELECT oapi_key, oapi_secret, created, renewed FROM account");
  const createAccount = writer.prepare("INSERT INTO account (id, oapi_key, oapi_secret, created) VALUES (1, ?, ?, ?)");
  const renewAccount = writer.prepare("UPDATE account SET oapi_key = ?, oapi_secret = ?, renewed = ?");
  const createUser = writer.prepare("INSERT INTO api_users (auth_key, secret_hash, name, created) VALUES (?, ?, ?, ?)");
  const user = point.prepare<[string], { id: number; secret_hash: string }>(
    "SELECT id, secret_hash FROM api_users WHERE auth_key = ? AND revoked IS NULL",
  );
  const users = point.prepare<[], ApiUserRow>(
    "SELECT id, auth_key, name, created, last_login FROM api_users WHERE revoked IS NULL ORDER BY id",
  );
  const count = writer.prepare<[], { n: number }>("SELECT count(*) AS n FROM api_users WHERE revoked IS NULL");
  const known = point.prepare<[number], { id: number }>("SELECT id FROM api_users WHERE id = ? AND revoked IS NULL");
  const noteLogin = writer.prepare("UPDATE api_users SET last_login = ? WHERE id = ?");
  const revoke = writer.prepare<[number, string], { id: number }>(
    "UPDATE api_users SET revoked = ? WHERE auth_key = ? AND revoked IS NULL RETURNING id",
  );
  const meta = writer.prepare<[string], { value: string }>("SELECT value FROM meta WHERE key = ?");
  const setMeta = writer.prepare(
    "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
  );
  return {
    account: () => account.get(),
    createAccount: (key: string, encryptedSecret: string, now: number): void => {
      createAccount.run(key, encryptedSecret, now);
    },
    renewAccount: (key: string, encryptedSecret: string, now: number): void => {
      renewAccount.run(key, encryptedSecret, now);
    },
    createUser: ({ auth_key, secretHash, name, created }: NewApiUser): void => {
      createUser.run(auth_key, secretHash, name, created);
    },
    /** Outside of a commit; who was revoked is nobody. */
    user: (authKey: string) => user.get(authKey),
    users: (): ApiUserRow[] => users.all(),
    isUser: (id: number): boolean => known.get(id) !== undefined,
    countUsers: (): number => count.get()?.n ?? 0,
    noteLogin: (id: number, now: number): void => {
      noteLogin.run(now, id);
    },
    /** The id of who was revoked by this call. */
    revoke: (authKey: string, now: number): number | undefined => revoke.get(now, authKey)?.id,
    meta: (key: string): string | undefined => meta.get(key)?.value,
    setMeta: (key: string, value: string): void => {
      setMeta.run(key, value);
    },
  };
};
