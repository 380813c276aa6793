import { agentPath } from "../shared/api.ts";
import { decodeJoinToken, encodeJoinToken } from "../shared/join-token.ts";
import type { Log } from "./log.ts";
import { isSameText, newId, newSecret, type Vault } from "./secrets.ts";
import type { Store } from "./store/store.ts";

const [idKey, secretKey] = ["farm_id", "join_secret"];

/** The join token for new nodes; there is one at a time. Nodes that have joined have their own keys and need none. */
export type JoinTokens = {
  readonly current: () => string;
  readonly isRight: (token: string) => boolean;
  /** Creates a new token; the old one stops working at once. `who` is logged. */
  readonly renew: (who: string) => Promise<string>;
};

/**
 * The farm's id and secret are created once. `origin`: the `host:port` at which agents reach the coordinator; `tlsPins`:
 * how they know its TLS authority, absent without TLS.
 */
export const openJoinTokens = async (
  { store: { meta }, vault, log }: { store: Store; vault: Vault; log: Log },
  origin: () => string,
  tlsPins?: () => readonly string[],
): Promise<JoinTokens> => {
  const farmId = await meta.ensure(idKey, newId());
  let secret = vault.open(await meta.ensure(secretKey, vault.seal(newSecret())));
  const scheme = tlsPins ? "wss" : "ws";
  const current = () =>
    encodeJoinToken({ url: `${scheme}://${origin()}${agentPath}`, farmId, secret, pins: tlsPins?.() ?? [] });
  return {
    current,
    isRight: (token) => isSecretOf(token, secret),
    renew: async (who) => {
      const made = newSecret();
      await meta.set(secretKey, vault.seal(made));
      secret = made;
      log.warn({ who }, "the join token was replaced: the old one no longer works");
      return current();
    },
  };
};

const isSecretOf = (token: string, secret: string): boolean => {
  try {
    return isSameText(decodeJoinToken(token).secret, secret);
  } catch {
    return false; // a missing join token is a wrong one
  }
};
