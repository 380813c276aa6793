import { holdsSecrets } from "../../shared/redact.ts";
import type { Vault } from "../secrets.ts";

/**
 * Texts and payloads that may hold passwords lie in the store as `{"$sealed": "<encrypted>"}` and nothing else. A payload
 * that a client wrote in that form is sealed too, so that the form always is ours.
 */
const sealedForm = /^\{"\$sealed":"([\w-]+)"\}$/;

/** A JSON text as the store may hold it. */
export const sealText = (vault: Vault, json: string): string =>
  holdsSecrets(json) || sealedForm.test(json) ? JSON.stringify({ $sealed: vault.seal(json) }) : json;

/** What `sealText` was given. */
export const openText = (vault: Vault, stored: string): string => {
  const sealed = sealedForm.exec(stored)?.[1];
  return sealed === undefined ? stored : vault.open(sealed);
};

type Payload = Record<string, unknown>;

export const sealPayload = (vault: Vault, payload: Payload): Payload => {
  const json = JSON.stringify(payload);
  const stored = sealText(vault, json);
  return stored === json ? payload : JSON.parse(stored);
};

export const openPayload = (vault: Vault, stored: Payload): Payload =>
  Object.hasOwn(stored, "$sealed") ? JSON.parse(openText(vault, JSON.stringify(stored))) : stored;
