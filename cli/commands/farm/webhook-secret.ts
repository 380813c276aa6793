import { newSecret } from "../../../coordinator/secrets/vault.ts";
import { webhookSecretPrefix } from "../../../shared/outbound/webhook-secret.ts";

/** A secret that is made here: no answer of the farm ever holds one. */
export const newWebhookSecret = (): string =>
  webhookSecretPrefix + Buffer.from(newSecret().reveal(), "base64url").toString("base64");
