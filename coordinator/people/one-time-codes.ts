import type { Clock } from "../../shared/basics/clock.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { hashSecret, newSecret } from "../secrets/vault.ts";

type Issued = {
  readonly hash: string;
  /** On the monotonic clock. */
  readonly expires: number;
};

/** One-time codes. They are kept only in memory, so a restart invalidates them. */
export const createOneTimeCodes = (clock: Clock, lifeMs: number) => {
  const issued = new Map<string, Issued>();
  return {
    /** A new code for a purpose; it replaces any older one. */
    issue: (what: string): { readonly code: Secret; readonly expires: number } => {
      const code = newSecret();
      for (const [other, { expires }] of issued) if (expires <= clock.monotonic()) issued.delete(other);
      issued.set(what, { hash: hashSecret(code), expires: clock.monotonic() + lifeMs });
      return { code, expires: clock.now() + lifeMs };
    },
    /** The purpose of the code. */
    look: (code: Secret): string | undefined => {
      const hash = hashSecret(code);
      return [...issued].find(([, each]) => each.hash === hash && each.expires > clock.monotonic())?.[0];
    },
    end: (what: string): void => {
      issued.delete(what);
    },
  };
};
