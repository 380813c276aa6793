import { holdsSecrets } from "../../shared/redact.ts";
import type { Vault } from "../secrets.ts";

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

/** Encrypts a stored text if it is not encrypted yet, for example one from an older version. */
export const sealStored = (vault: Vault, stored: string): string =>
  isOurs(vault, stored) ? stored : sealText(vault, stored);

/** The same for a list of JSON objects whose `payload` may hold passwords. */
export const sealStoredPayloads = (vault: Vault, stored: string): string => {
  if (!holdsSecrets(stored) && !stored.includes('"$sealed"')) return stored;
  const elements = JSON.parse(stored) as { readonly payload: unknown }[]; // as they were stored
  return JSON.stringify(
    elements.map((each) => ({ ...each, payload: JSON.parse(sealStored(vault, JSON.stringify(each.payload))) })),
  );
};

/** Both in our form and encrypted by us: a client may have written the form itself. */
const isOurs = (vault: Vault, stored: string): boolean => {
  const sealed = sealedForm.exec(stored)?.[1];
  if (sealed === undefined) return false;
  try {
    vault.open(sealed);
    return true;
  } catch {
    return false; // not one of our texts
  }
};
