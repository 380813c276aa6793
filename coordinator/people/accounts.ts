import { AppError } from "../shared/errors.ts";
import type { FarmClock } from "./farm-clock.ts";
import { hashSecret, isSameText, newId, newSecret, type Vault } from "./secrets.ts";
import type { AccountRow, ApiUserRow, NewApiUser } from "./store/people.ts";
import type { Store } from "./store/store.ts";

export type FirstCredentials = {
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
};

export type OapiPair = { readonly oapi_key: string; readonly oapi_secret: string };
/** The secret is shown only once. */
export type NewCredentials = { readonly auth_key: string; readonly auth_secret: string };

const mostUsers = 1000;

export type Accounts = ReturnType<typeof createAccounts>;

/** Who may use the API: the account with its OAPI pair, and its API users. */
export const createAccounts = ({ accounts, tokens }: Store, vault: Vault, clock: FarmClock) => {
  let pair: OapiPair | undefined;

  const account = async (): Promise<AccountRow> => requireAccount(await accounts.account());
  const oapiPair = async (): Promise<OapiPair> => {
    if (pair) return pair;
    const { oapi_key, oapi_secret } = await account();
    pair = { oapi_key, oapi_secret: vault.open(oapi_secret) };
    return pair;
  };
  const sealed = ({ oapi_key, oapi_secret }: OapiPair): OapiPair => ({
    oapi_key,
    oapi_secret: vault.seal(oapi_secret),
  });
  const rowOf = ({ auth_key, auth_secret }: NewCredentials, name: string, mayMount: boolean): NewApiUser => ({
    auth_key,
    secretHash: hashSecret(auth_secret),
    name,
    mayMount,
    created: clock.now(),
  });

  return {
    /**
     * Creates the account and one API user at the first start; null afterwards, when its secrets are no longer known.
     */
    ensureFirst: async (): Promise<FirstCredentials | null> => {
      const [made, user] = [newPair(), newUser()];
      if (!(await accounts.create(sealed(made), rowOf(user, "command line", true), clock.now()))) return null;
      const { oapi_key, oapi_secret } = made;
      return { oapiKey: oapi_key, oapiSecret: oapi_secret, authKey: user.auth_key, authSecret: user.auth_secret };
    },
    isOapiPair: async (key: string, secret: string): Promise<boolean> => {
      const known = await oapiPair();
      return isSameText(key, known.oapi_key) && isSameText(secret, known.oapi_secret);
    },
    account,
    oapiPair,
    /** The old pair stops working at once. */
    renewOapi: async (): Promise<OapiPair> => {
      const made = newPair();
      await accounts.renew(sealed(made), clock.now());
      pair = made;
      return made;
    },
    /** Whether the API user still exists. */
    isUser: accounts.isUser,
    users: async (): Promise<(ApiUserRow & { readonly liveTokens: number })[]> => {
      const live = await tokens.counts(clock.steady());
      return (await accounts.users()).map((row) => ({ ...row, liveTokens: live.get(row.id) ?? 0 }));
    },
    createUser: async (name: string, mayMount = false): Promise<NewCredentials> => {
      const made = newUser();
      if (await accounts.createUser(rowOf(made, name, mayMount), mostUsers)) return made;
      throw new AppError("CONFLICT", `There are ${mostUsers} API users already: revoke one first`);
    },
    /** Also ends the user's tokens. */
    revokeUser: async (authKey: string): Promise<void> => {
      if (!(await accounts.revokeUser(authKey, clock.now())))
        throw new AppError("NOT_FOUND", `There is no API user ${authKey.slice(0, 100)}`);
    },
  };
};

const newPair = (): OapiPair => ({ oapi_key: `oapi_${newId()}`, oapi_secret: newSecret() });
const newUser = (): NewCredentials => ({ auth_key: `api_${newId()}`, auth_secret: newSecret() });

const requireAccount = (row: AccountRow | undefined): AccountRow => {
  if (row) return row;
  throw new Error("the account is made at the first start, before anybody is let in");
};
