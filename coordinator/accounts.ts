import { AppError } from "../shared/errors.ts";
import type { AccountRow, ApiUserRow } from "./db/accounts.ts";
import type { Db } from "./db/open.ts";
import type { Stores } from "./db/stores.ts";
import type { FarmClock } from "./farm-clock.ts";
import { hashSecret, isSameText, newId, newSecret, type Vault } from "./secrets.ts";

export type FirstCredentials = {
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
};

export type OapiPair = { readonly oapi_key: string; readonly oapi_secret: string };
/** The secret is told this once. */
export type NewCredentials = { readonly auth_key: string; readonly auth_secret: string };

const mostUsers = 1000;

export type Accounts = ReturnType<typeof createAccounts>;

/** Who may speak to the API: the account with its OAPI pair, and its API users. */
export const createAccounts = (db: Db, { accounts, tokens }: Stores, vault: Vault, clock: FarmClock) => {
  let pair: OapiPair | undefined;

  const readPair = (): OapiPair => {
    if (pair) return pair;
    const { oapi_key, oapi_secret } = requireAccount(accounts.account());
    pair = { oapi_key, oapi_secret: vault.open(oapi_secret) };
    return pair;
  };

  /** Inside a commit. */
  const insertUser = (name: string): NewCredentials => {
    const made = { auth_key: `api_${newId()}`, auth_secret: newSecret() };
    const { auth_key, auth_secret } = made;
    accounts.createUser({ auth_key, secretHash: hashSecret(auth_secret), name, created: clock.now() });
    return made;
  };

  return {
    /** Makes the account and one API user at the first start; null afterwards, when its secrets are known no more. */
    ensureFirst: (): Promise<FirstCredentials | null> =>
      db.commit(() => {
        if (accounts.account()) return null;
        const { oapi_key, oapi_secret } = newPair();
        accounts.createAccount(oapi_key, vault.seal(oapi_secret), clock.now());
        const { auth_key, auth_secret } = insertUser("first");
        return { oapiKey: oapi_key, oapiSecret: oapi_secret, authKey: auth_key, authSecret: auth_secret };
      }),
    isOapiPair: (key: string, secret: string): boolean => {
      const known = readPair();
      return isSameText(key, known.oapi_key) && isSameText(secret, known.oapi_secret);
    },
    account: (): AccountRow => requireAccount(accounts.account()),
    oapiPair: (): OapiPair => readPair(),
    /** The old pair opens nothing from now on. */
    renewOapi: async (): Promise<OapiPair> => {
      const made = newPair();
      await db.commit(() => accounts.renewAccount(made.oapi_key, vault.seal(made.oapi_secret), clock.now()));
      pair = made;
      return made;
    },
    /** Whether there is such an API user still. */
    isUser: (id: number): boolean => accounts.isUser(id),
    users: (): (ApiUserRow & { readonly liveTokens: number })[] => {
      const live = tokens.counts(clock.steady());
      return accounts.users().map((row) => ({ ...row, liveTokens: live.get(row.id) ?? 0 }));
    },
    createUser: (name: string): Promise<NewCredentials> =>
      db.commit(() => {
        if (accounts.countUsers() >= mostUsers)
          throw new AppError("CONFLICT", `There are ${mostUsers} API users already: revoke one first`);
        return insertUser(name);
      }),
    /** Ends the user's tokens too. */
    revokeUser: (authKey: string): Promise<void> =>
      db.commit(() => {
        const id = accounts.revoke(authKey, clock.now());
        if (id === undefined) throw new AppError("NOT_FOUND", `There is no API user ${authKey.slice(0, 100)}`);
        tokens.dropOfUser(id);
      }),
  };
};

const newPair = (): OapiPair => ({ oapi_key: `oapi_${newId()}`, oapi_secret: newSecret() });

const requireAccount = (row: AccountRow | undefined): AccountRow => {
  if (row) return row;
  throw new Error("the account is made at the first start, before anybody is let in");
};
