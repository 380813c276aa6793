import { z } from "zod";
import { secretOf } from "../basics/secret.ts";

/** How texts begin that sign messages; the rest is the key in base64. */
export const webhookSecretPrefix = "whsec_";
const [fewestBytes, mostBytes] = [24, 64];
const whole = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A key that signs messages, as Standard Webhooks write it. */
export const webhookSecret = secretOf(
  z
    .string()
    .max(200)
    .refine(isWebhookSecret, {
      message: `it must be ${webhookSecretPrefix} and ${fewestBytes} to ${mostBytes} random bytes in base64`,
    }),
);

function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(webhookSecretPrefix)) return false;
  const key = text.slice(webhookSecretPrefix.length);
  const bytes = (key.length / 4) * 3 - (/=*$/.exec(key)?.[0].length ?? 0);
  return whole.test(key) && bytes >= fewestBytes && bytes <= mostBytes;
}
