import type { People } from "../people/people.ts";
import type { Secrets } from "../secrets/secrets.ts";

export type SecondStepNeeds = {
  readonly farm: Pick<Secrets, "store" | "vault" | "clock" | "log" | "trail">;
  readonly people: Pick<People, "enter" | "halves" | "list" | "signOut">;
};
