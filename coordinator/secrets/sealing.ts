import { holdsSecrets } from "../../shared/credentials/redact.ts";
import type { Vault } from "./vault.ts";

/**
 * Texts and payloads that may hold passwords are stored as `{"$sealed": "<encrypted>"}` and nothing else. A payload
 * that a client wrote in that form is encrypted too, so the stored form is always ours.
 */
const sealedForm = /^\{"\$sealed":"([\w-]+)"\}$/;

/** A JSON text in its stored form. */
export const sealText = (vault: Vault, json: string): string =>
  holdsSecrets(json) || sealedForm.test(json) ? JSON.stringify({ $sealed: vault.seal(json) }) : json;

/** The text that `sealText` was given. */
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
