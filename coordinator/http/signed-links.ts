import { createHmac } from "node:crypto";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { isEqualText, newSecret } from "../secrets/vault.ts";

/** How long a signed address works. */
const linkMs = 3_600_000;

/** Signs addresses for one purpose. They work without a cookie, until they expire or the coordinator restarts. */
export const createSignedLinks = (clock: Pick<Clock, "now">, purpose: string) => {
  const key = newSecret();
  const sign = (text: string): string => createHmac("sha256", key).update(`${purpose}.${text}`).digest("base64url");
  return {
    seal: (what: number): { readonly token: string; readonly until: number } => {
      const until = clock.now() + linkMs;
      const head = `${what}.${until}`;
      return { token: `${head}.${sign(head)}`, until };
    },
    /** What was sealed. Throws AppError NOT_AUTHENTICATED with this message if it was changed or has expired. */
    open: (token: string, ended: string): number => {
      const [what = "", until = "", signature = ""] = token.split(".");
      const isOurs = isEqualText(signature, sign(`${what}.${until}`));
      if (!isOurs || Number(until) < clock.now()) throw new AppError("NOT_AUTHENTICATED", ended);
      return Number(what);
    },
  };
};
