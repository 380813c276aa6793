import { z } from "zod";
import { Secret, secretOf, toRevealedJson } from "../../shared/basics/secret.ts";
import type { Vault } from "../secrets/vault.ts";

/** Who begins to sign in has so long to come back. */
export const attemptMs = 10 * 60_000;

/**
 * A sign-in that was begun, which only the browser that began it can finish: it is sealed and lies in that browser's cookie, so
 * that strangers who begin many cost no memory, and another coordinator of the farm can finish it.
 */
const attempt = z.strictObject({
  is: z.literal("sign-in at a provider"),
  /** The hash of the session that wants to link an account; null: somebody signs in. What began as one never ends as the other. */
  links: z.string().nullable(),
  provider: z.string(),
  issuer: z.string(),
  state: secretOf(z.string()),
  nonce: secretOf(z.string()),
  /** Of PKCE. */
  verifier: secretOf(z.string()),
  /** Where the provider sends people back to. */
  redirect: z.string(),
  /** The page that the person wanted. */
  page: z.string().nullable(),
  /** On the farm's clock. */
  expires: z.number(),
});
export type Attempt = z.output<typeof attempt>;

export const sealAttempt = (vault: Pick<Vault, "seal">, begun: Omit<Attempt, "is">): Secret =>
  new Secret(vault.seal(toRevealedJson({ is: "sign-in at a provider", ...begun })));

/** Undefined for what this farm did not seal. */
export const openAttempt = (vault: Pick<Vault, "open">, sealed: Secret): Attempt | undefined => {
  try {
    return attempt.parse(JSON.parse(vault.open(sealed.reveal())));
  } catch {
    return undefined; // forged, cut, or sealed with another key
  }
};
