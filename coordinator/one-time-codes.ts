import type { Clock } from "../shared/clock.ts";
import { hashSecret, newSecret } from "./secrets.ts";

type Issued = { readonly hash: string; readonly expires: number };

/** Codes that open one thing once. They live in memory only: a restart ends them. */
export const createOneTimeCodes = (clock: Clock, lifeMs: number) => {
  const issued = new Map<string, Issued>();
  return {
    /** A new code for something; an older one for it opens nothing any more. */
    issue: (what: string): { readonly code: string; readonly expires: number } => {
      const code = newSecret();
      const expires = clock.now() + lifeMs;
      issued.set(what, { hash: hashSecret(code), expires });
      return { code, expires };
    },
    /** What the code is for. */
    look: (code: string): string | undefined => {
      const hash = hashSecret(code);
      return [...issued].find(([, each]) => each.hash === hash && each.expires > clock.now())?.[0];
    },
    end: (what: string): void => {
      issued.delete(what);
    },
  };
};
