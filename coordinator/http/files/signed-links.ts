import { createHmac } from "node:crypto";
import type { Clock } from "../../../shared/basics/clock.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Reach } from "../../../shared/rights/reach.ts";
import { reachOfLater } from "../../people/still-there.ts";
import { isEqualText, newSecret } from "../../secrets/vault.ts";
import type { Store } from "../../store/store.ts";

/** How long a signed address works. */
const linkMs = 3_600_000;

type Parts = { readonly clock: Pick<Clock, "now">; readonly store: Pick<Store, "accounts" | "people"> };

/** What was sealed, and whose objects the one it was made for reaches by now. */
type Opened = { readonly what: number; readonly reach: Reach };

/**
 * Signs addresses for one purpose. They work without a cookie, until they expire, the coordinator restarts, or the person
 * they were made for is removed.
 */
export const createSignedLinks = ({ clock, store }: Parts, purpose: string) => {
  const key = newSecret();
  const sign = (text: string): string =>
    createHmac("sha256", key.reveal()).update(`${purpose}.${text}`).digest("base64url");
  return {
    seal: (what: number, who: string): { readonly token: string; readonly until: number } => {
      const until = clock.now() + linkMs;
      const head = `${what}.${until}.${Buffer.from(who).toString("base64url")}`;
      return { token: `${head}.${sign(head)}`, until };
    },
    /** What was sealed. Throws AppError NOT_AUTHENTICATED with this message if it was changed or has expired. */
    open: async (token: string, ended: string): Promise<Opened> => {
      const [what = "", until = "", name = "", signature = ""] = token.split(".");
      const isOurs = isEqualText(signature, sign(`${what}.${until}.${name}`));
      const who = Buffer.from(name, "base64url").toString();
      const now = clock.now();
      const isValid = isOurs && Number(until) >= now;
      const reach = isValid ? await reachOfLater(store, who, { scope: "jobs:read", now }) : undefined;
      if (reach) return { what: Number(what), reach };
      throw new AppError("NOT_AUTHENTICATED", ended);
    },
  };
};
