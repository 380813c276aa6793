import { holdsSecrets } from "../../shared/credentials/redact.ts";
import { isSealed, opened, sealed } from "../store/cipher.ts";
import type { Vault } from "./vault.ts";

/** A JSON text in its stored form: encrypted where it may hold passwords. */
export const sealText = (vault: Vault, json: string): string =>
  holdsSecrets(json) || isSealed(json) ? sealed(vault, json) : json;

/** The text that `sealText` was given. */
export const openText = (vault: Vault, stored: string): string => opened(vault, stored);

type Payload = Record<string, unknown>;

export const sealPayload = (vault: Vault, payload: Payload): Payload => {
  const json = JSON.stringify(payload);
  const stored = sealText(vault, json);
  return stored === json ? payload : JSON.parse(stored);
};

export const openPayload = (vault: Vault, stored: Payload): Payload =>
  Object.hasOwn(stored, "$sealed") ? JSON.parse(openText(vault, JSON.stringify(stored))) : stored;
