import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import { type Power, scopes } from "../../shared/people/scopes.ts";
import type { FarmClock } from "../farm-clock.ts";
import { hashSecret, isEqualText, isSameSecret, newId, newSecret, type Vault } from "../secrets/vault.ts";
import { keepAnswer } from "../store/kept/answer.ts";
import type { AccountRow, ApiUserRow, NewApiUser } from "../store/people.ts";
import type { Store } from "../store/store.ts";

/** As texts: they are shown once, to whoever started the farm. */
export type FirstCredentials = {
  readonly oapiKey: string;
  readonly oapiSecret: string;
  readonly authKey: string;
  readonly authSecret: string;
};

export type OapiPair = { readonly oapi_key: string; readonly oapi_secret: Secret };
/** The secret is shown only once. */
export type NewCredentials = { readonly auth_key: string; readonly auth_secret: Secret };

const mostUsers = 1000;

/** Of the first API user, which `up` makes and keeps for the command line. */
const everything: Power = { scopes, reach: "all", group: null };

export type Accounts = ReturnType<typeof createAccounts>;

/** Who may use the API: the account with its OAPI pair, and its API users. */
export const createAccounts = ({ accounts }: Pick<Store, "accounts">, vault: Vault, clock: FarmClock) => {
  // Every request compares the secret, so each sealed text is opened once.
  let opened = { sealed: "", secret: new Secret("") };

  const known = keepAnswer(accounts.account);
  const account = async (): Promise<AccountRow> => requireAccount(await known.get());
  const oapiPair = async (): Promise<OapiPair> => {
    const { oapi_key, oapi_secret: sealed } = await account();
    if (opened.sealed !== sealed) opened = { sealed, secret: new Secret(vault.open(sealed)) };
    return { oapi_key, oapi_secret: opened.secret };
  };
  const sealed = ({ oapi_key, oapi_secret }: OapiPair) => ({
    oapi_key,
    oapi_secret: vault.seal(oapi_secret.reveal()),
  });
  const rowOf = (
    { auth_key, auth_secret }: NewCredentials,
    name: string,
    { power, expires }: { readonly power: Power; readonly expires: number | null },
  ): NewApiUser => ({
    auth_key,
    secretHash: hashSecret(auth_secret),
    name,
    ...power,
    ...{ created: clock.now(), expires },
  });

  return {
    /**
     * Creates the account and one API user at the first start; null afterwards, when its secrets are no longer known.
     */
    ensureFirst: async (): Promise<FirstCredentials | null> => {
      const [made, user] = [newPair(), newUser()];
      if (
        !(await accounts.create(
          sealed(made),
          rowOf(user, "command line", { power: everything, expires: null }),
          clock.now(),
        ))
      )
        return null;
      const { oapi_key, oapi_secret } = made;
      return {
        oapiKey: oapi_key,
        oapiSecret: oapi_secret.reveal(),
        authKey: user.auth_key,
        authSecret: user.auth_secret.reveal(),
      };
    },
    isOapiPair: async (key: string, secret: Secret): Promise<boolean> => {
      const known = await oapiPair();
      // Both are compared, so that the time does not tell which one is wrong.
      const [isKey, isSecret] = [isEqualText(key, known.oapi_key), isSameSecret(secret, known.oapi_secret)];
      return isKey && isSecret;
    },
    account,
    oapiPair,
    /** The old pair stops working at once. */
    renewOapi: async (): Promise<OapiPair> => {
      const made = newPair();
      await accounts.renew(sealed(made), clock.now()).finally(known.forget);
      return made;
    },
    /** Whether the API user still exists, and has not expired. */
    isUser: async (id: number): Promise<boolean> => {
      const user = await accounts.user(id);
      return user !== undefined && (user.expires === null || user.expires > clock.now());
    },
    users: (): Promise<ApiUserRow[]> => accounts.users(clock.steady()),
    /** `expires`: from then on it does not log in, and its tokens open nothing; on the machine's clock. */
    createUser: async (name: string, power: Power, expires: number | null = null): Promise<NewCredentials> => {
      const made = newUser();
      if (await accounts.createUser(rowOf(made, name, { power, expires }), mostUsers)) return made;
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
