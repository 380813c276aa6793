import { AppError } from "../../shared/basics/errors.ts";
import { Secret } from "../../shared/basics/secret.ts";
import type { FarmClock } from "../farm-clock.ts";
import { createLines } from "../kernel/lines.ts";
import { hashSecret, isEqualText, newSecret } from "../secrets/vault.ts";
import type { Store } from "../store/store.ts";

/** A token's expiry is stored at most this often. */
const slideEveryMs = 60_000;
/** The maximum number of live tokens of one user: a client that logs in for every call must not fill the disk. */
export const mostTokens = 1000;

/** Logins of one user that may wait for each other. */
const mostLoginsWaiting = 1000;

export type Tokens = ReturnType<typeof createTokens>;

/** Logs API users in and checks their tokens. A user may have several at a time. */
export const createTokens = (
  { accounts, passes }: Pick<Store, "accounts" | "passes">,
  clock: FarmClock,
  tokenMs: number,
) => {
  // Each login is a write; whose keys are wrong waits in no line.
  const inLine = createLines(mostLoginsWaiting, { clock, times: 4 });
  /** Tokens whose expiry is being stored. */
  const sliding = new Set<string>();
  const isDue = (expires: number): boolean => clock.steady() + tokenMs - expires >= slideEveryMs;

  const slide = async (hash: string): Promise<void> => {
    // Read again: another call may have stored it meanwhile.
    if (isDue((await passes.read("token", hash))?.expires ?? Number.POSITIVE_INFINITY))
      await passes.extend("token", hash, clock.steady() + tokenMs, clock.now());
  };
  const extend = (hash: string, expires: number): void => {
    if (!isDue(expires) || sliding.has(hash)) return;
    sliding.add(hash);
    // Nobody waits for this write: if it is lost in a crash or on a full disk, the client logs in once more.
    slide(hash)
      .catch(() => {})
      .finally(() => sliding.delete(hash));
  };

  return {
    login: async (authKey: string, authSecret: Secret): Promise<{ token: Secret; expires: number }> => {
      const user = await accounts.user(authKey);
      const isRight = isEqualText(hashSecret(authSecret), user?.secret_hash ?? nobodys);
      if (!user || !isRight) throw new AppError("NOT_AUTHENTICATED", wrongWords(authKey));
      requireLasting(user.expires, clock.now());
      const token = newSecret();
      const now = clock.steady();
      const pass = { hash: hashSecret(token), now, expires: now + tokenMs, most: mostTokens };
      await inLine(authKey, 1, () => accounts.logIn(user.id, pass, clock.now()));
      return { token, expires: clock.now() + tokenMs };
    },
    /** The user of a token, and how its use extends it. Throws NOT_AUTHENTICATED if the token is unknown or has expired. */
    use: async (token: Secret) => {
      const hash = hashSecret(token);
      const row = await passes.read("token", hash);
      if (!row) throw new AppError("NOT_AUTHENTICATED", "The token is not known; log in again");
      const { expires, user_id: userId, name: userName, scopes, reach, group } = row;
      if (expires <= clock.steady()) throw new AppError("NOT_AUTHENTICATED", "The token has expired; log in again");
      requireLasting(row.user_expires, clock.now());
      return { userId, userName, power: { scopes, reach, group }, extend: () => extend(hash, expires) };
    },
  };
};

/** An owner made it for a time. */
const requireLasting = (expires: number | null, now: number): void => {
  if (expires === null || expires > now) return;
  throw new AppError("NOT_AUTHENTICATED", "This API user has expired: an owner makes a new one below Account");
};

/** Compared with where there is no such user, so that timing does not tell which keys exist. */
const nobodys = hashSecret(new Secret(""));

/** Does not reveal which keys exist: only the form of the key decides. */
const wrongWords = (authKey: string): string =>
  authKey.startsWith("api_")
    ? "auth_key or auth_secret is wrong"
    : "auth_key or auth_secret is wrong. POST /login takes an API user's (auth_key begins with api_); names and passwords of the web pages open the pages only. An owner makes API users there, below Account";
