import type { Clock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import type { Db } from "./db/open.ts";
import type { Stores } from "./db/stores.ts";
import { hashSecret, isSameText, newId, newSecret, type Vault } from "./secrets.ts";

export type FirstCredentials = {
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
};

/** A token's life is written down at most this often. */
const slideEveryMs = 60_000;

export type Accounts = ReturnType<typeof createAccounts>;

/** Who may speak to the API: makes the first account, checks both layers, gives and extends tokens. */
export const createAccounts = (db: Db, stores: Stores, vault: Vault, clock: Clock, tokenMs: number) => {
  let pair: { key: string; secret: string } | undefined;

  const readPair = () => {
    const row = stores.accounts.account();
    pair ??= row && { key: row.oapi_key, secret: vault.open(row.oapi_secret) };
    return pair;
  };

  return {
    /** Makes the account and one API user at the first start; null afterwards, when its secrets are known no more. */
    ensureFirst: (): Promise<FirstCredentials | null> =>
      db.commit(() => {
        if (stores.accounts.account()) return null;
        const made = {
          oapiKey: `oapi_${newId()}`,
          oapiSecret: newSecret(),
          authKey: `api_${newId()}`,
          authSecret: newSecret(),
        };
        stores.accounts.createAccount(made.oapiKey, vault.seal(made.oapiSecret), clock.now());
        stores.accounts.createUser(made.authKey, hashSecret(made.authSecret), clock.now());
        return made;
      }),
    isOapiPair: (key: string, secret: string): boolean => {
      const known = readPair();
      return known !== undefined && isSameText(key, known.key) && isSameText(secret, known.secret);
    },
    login: async (authKey: string, authSecret: string): Promise<{ token: string; expires: number }> => {
      const user = stores.accounts.user(authKey);
      const isRight = isSameText(hashSecret(authSecret), user?.secret_hash ?? "");
      if (!user || !isRight) throw new AppError("NOT_AUTHENTICATED", "auth_key or auth_secret is wrong");
      const token = newSecret();
      const expires = clock.now() + tokenMs;
      await db.commit(() => {
        stores.accounts.dropTokens(clock.now());
        stores.accounts.createToken(hashSecret(token), user.id, expires);
      });
      return { token, expires };
    },
    /** The id of the token's user, or throws NOT_AUTHENTICATED; every use moves the token's end on, never back. */
    useToken: (token: string): number => {
      const hash = hashSecret(token);
      const { expires, user_id: userId } = stores.accounts.token(hash) ?? {};
      const now = clock.now();
      if (expires === undefined || userId === undefined)
        throw new AppError("NOT_AUTHENTICATED", "The token is not known; log in again");
      if (expires <= now) throw new AppError("NOT_AUTHENTICATED", "The token has expired; log in again");
      if (now + tokenMs - expires < slideEveryMs) return userId;
      // Nobody waits for it: should the write be lost, in a crash or on a full disk, the client logs in once more.
      db.commit(() => stores.accounts.extendToken(hash, now + tokenMs)).catch(() => {});
      return userId;
    },
  };
};
