import { createHmac } from "node:crypto";
import type { Secret } from "../../shared/basics/secret.ts";
import { webhookSecretPrefix } from "../../shared/outbound/webhook-secret.ts";

type Signed = {
  /** The same for every try: receivers know repeats by it. */
  readonly id: string;
  /** When this try is made, in Unix milliseconds: receivers refuse old ones. */
  readonly at: number;
  readonly body: string;
};

/** The headers of Standard Webhooks. Every secret signs, so that receivers may change from one to another. */
export const signatureHeaders = (
  { id, at, body }: Signed,
  secrets: readonly Secret[],
): Readonly<Record<string, string>> => {
  const seconds = Math.floor(at / 1000);
  const text = `${id}.${seconds}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": secrets.map((secret) => `v1,${macOf(secret, text)}`).join(" "),
  };
};

const macOf = (secret: Secret, text: string): string => {
  const key = Buffer.from(secret.reveal().slice(webhookSecretPrefix.length), "base64");
  return createHmac("sha256", key).update(text).digest("base64");
};
