import { agentPath } from "../../shared/api/api.ts";
import { decodeJoinToken, encodeJoinToken } from "../../shared/credentials/join-token.ts";
import type { Log } from "../log.ts";
import { isEqualText, newId, newSecret, type Vault } from "../secrets/vault.ts";
import type { Store } from "../store/store.ts";

const [idKey, secretKey] = ["farm_id", "join_secret"];

/** The join token for new nodes; there is one at a time. Nodes that have joined have their own keys and need none. */
export type JoinTokens = Awaited<ReturnType<typeof openJoinTokens>>;

/**
 * The farm's id and secret are created once. `origin`: the `host:port` at which agents reach the coordinator; `tlsPins`:
 * how they know its TLS authority, absent without TLS.
 */
export const openJoinTokens = async (
  { store: { records }, vault, log }: { store: Store; vault: Vault; log: Log },
  origin: () => string,
  tlsPins?: () => readonly string[],
) => {
  const ensure = async (key: string, value: () => string): Promise<string> =>
    (await records.change("farm", key, (stored) => stored ?? value())).after ?? "";
  const farmId = await ensure(idKey, newId);
  const secret = async () => vault.open(await ensure(secretKey, () => vault.seal(newSecret())));
  await secret();
  const scheme = tlsPins ? "wss" : "ws";
  const current = async (): Promise<string> => {
    const url = `${scheme}://${origin()}${agentPath}`;
    return encodeJoinToken({ url, farmId, secret: await secret(), pins: tlsPins?.() ?? [] });
  };
  return {
    current,
    isRight: async (token: string): Promise<boolean> => isSecretOf(token, await secret()),
    /** Creates a new token; the old one stops working at once. `who` is logged. */
    renew: async (who: string): Promise<string> => {
      await records.change("farm", secretKey, () => vault.seal(newSecret()));
      log.warn({ who }, "the join token was replaced: the old one no longer works");
      return current();
    },
  };
};

const isSecretOf = (token: string, secret: string): boolean => {
  try {
    return isEqualText(decodeJoinToken(token).secret, secret);
  } catch {
    return false; // a missing join token is a wrong one
  }
};
