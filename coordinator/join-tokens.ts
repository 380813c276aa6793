import { agentPath } from "../shared/api.ts";
import { decodeJoinToken, encodeJoinToken } from "../shared/join-token.ts";
import type { Log } from "./log.ts";
import { isSameText, newId, newSecret, type Vault } from "./secrets.ts";
import type { Store } from "./store/store.ts";

const [idKey, secretKey] = ["farm_id", "join_secret"];

/** What lets new nodes in: one token at a time. Nodes that are in have keys of their own and need none. */
export type JoinTokens = {
  readonly current: () => string;
  readonly isRight: (token: string) => boolean;
  /** Makes a new one; the old one lets nobody in from then on. `who` goes into the log. */
  readonly renew: (who: string) => Promise<string>;
};

/** The farm's id and secret are made once. `origin`: where agents reach the coordinator, `host:port`. */
export const openJoinTokens = async (
  { store: { meta }, vault, log }: { store: Store; vault: Vault; log: Log },
  origin: () => string,
): Promise<JoinTokens> => {
  const farmId = await meta.ensure(idKey, newId());
  let secret = vault.open(await meta.ensure(secretKey, vault.seal(newSecret())));
  const current = () => encodeJoinToken({ url: `ws://${origin()}${agentPath}`, farmId, secret });
  return {
    current,
    isRight: (token) => isSecretOf(token, secret),
    renew: async (who) => {
      const made = newSecret();
      await meta.set(secretKey, vault.seal(made));
      secret = made;
      log.warn({ who }, "the join token was made anew: the old one lets nobody in");
      return current();
    },
  };
};

const isSecretOf = (token: string, secret: string): boolean => {
  try {
    return isSameText(decodeJoinToken(token).secret, secret);
  } catch {
    return false; // no join token at all is a wrong one
  }
};
