import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { Secret, secretOf, toRevealedJson } from "../../shared/basics/secret.ts";
import { signInRefusals } from "../../shared/people/refusals.ts";
import type { FarmClock } from "../farm-clock.ts";
import { createMemory } from "../identity/memory.ts";
import { hashSecret, newSecret, type Vault } from "../secrets/vault.ts";

/** A passkey is asked for, and answers, within this time. */
export const challengeMs = 5 * 60_000;
const mostUsed = 10_000;

const sealedChallenge = z.strictObject({
  is: z.literal("challenge of a passkey"),
  /** Of the running program: after a restart it is not known which were used. */
  run: z.string(),
  challenge: secretOf(z.string()),
  purpose: z.enum(["sign in", "add"]),
  /** The session, or the half one, in which it was asked for; empty: none. */
  within: z.string(),
  origin: z.string(),
  /** On the farm's clock. */
  expires: z.number(),
});
type Purpose = z.output<typeof sealedChallenge>["purpose"];

/** What an answer has to fit. */
export type Asked = { readonly purpose: Purpose; readonly within: string; readonly origin: string };

export type Challenges = ReturnType<typeof createChallenges>;

/**
 * Challenges for passkeys. Each is sealed and lies in the browser that asked, as sign-ins at providers do: strangers cost no
 * memory. One counts once, for one purpose, in one session and at one origin.
 */
export const createChallenges = (vault: Pick<Vault, "seal" | "open">, clock: Pick<FarmClock, "steady">) => {
  const run = hashSecret(newSecret());
  const used = createMemory<true>(mostUsed);
  const opened = (sealed: Secret | undefined) => {
    try {
      return sealed && sealedChallenge.parse(JSON.parse(vault.open(sealed.reveal())));
    } catch {
      return undefined; // forged, cut, or sealed with another key
    }
  };
  return {
    issue: (asked: Asked): { readonly challenge: Secret; readonly sealed: Secret } => {
      const challenge = newSecret();
      const expires = clock.steady() + challengeMs;
      const whole = { is: "challenge of a passkey", run, challenge, ...asked, expires };
      return { challenge, sealed: new Secret(vault.seal(toRevealedJson(whole))) };
    },
    /** The challenge; it is used with this, whatever the answer to it is worth. */
    use: (sealed: Secret | undefined, asked: Asked): Secret => {
      const found = opened(sealed);
      const fits =
        found?.run === run &&
        found.purpose === asked.purpose &&
        found.within === asked.within &&
        found.origin === asked.origin &&
        found.expires > clock.steady();
      if (!found || !fits || !used.add(hashSecret(found.challenge), true)) throw stale();
      return found.challenge;
    },
  };
};

const stale = () => new AppError("NOT_ALLOWED", signInRefusals.stalePasskey);
