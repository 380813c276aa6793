import { webhookSecretPrefix } from "../../../shared/outbound/webhook-secret.ts";

/** A secret that this browser makes: no answer of the farm ever holds one. */
export const makeWebhookSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return webhookSecretPrefix + btoa(String.fromCharCode(...bytes));
};
