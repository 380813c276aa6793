import type { Ask } from "../../shared/outbound/ask.ts";
import type { People } from "../people/people.ts";
import type { Secrets } from "../secrets/secrets.ts";

export type IdentityNeeds = {
  readonly farm: Pick<Secrets, "store" | "vault" | "clock" | "log" | "trail">;
  readonly people: Pick<
    People,
    "signInVouched" | "removeVouched" | "endSessions" | "endVouched" | "link" | "unlink" | "links"
  >;
  /** Absent: this coordinator reaches nothing outside, and nobody signs in by a provider. */
  readonly ask: Ask | undefined;
};
